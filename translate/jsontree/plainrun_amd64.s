//go:build !purego

#include "textflag.h"

DATA quotes<>+0(SB)/8, $0x2222222222222222
DATA quotes<>+8(SB)/8, $0x2222222222222222
GLOBL quotes<>(SB), RODATA|NOPTR, $16

DATA slashes<>+0(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA slashes<>+8(SB)/8, $0x5c5c5c5c5c5c5c5c
GLOBL slashes<>(SB), RODATA|NOPTR, $16

DATA spaces<>+0(SB)/8, $0x2020202020202020
DATA spaces<>+8(SB)/8, $0x2020202020202020
GLOBL spaces<>(SB), RODATA|NOPTR, $16

// STOPS sets in MASK a bit for each of the sixteen bytes at OFF from SI+AX that is a
// quote, a backslash, or, as a signed number, less than a space: a control, or a
// byte beyond ASCII.
#define STOPS(OFF, A, B, C, MASK) \
	MOVOU    OFF(SI)(AX*1), A \
	MOVO     A, B             \
	MOVO     X15, C           \
	PCMPGTB  A, C             \
	PCMPEQB  X13, A           \
	PCMPEQB  X14, B           \
	POR      B, A             \
	POR      C, A             \
	PMOVMSKB A, MASK

// func plainRun(src []byte, i int) int
TEXT ·plainRun(SB), NOSPLIT, $0-40
	MOVQ  src_base+0(FP), SI
	MOVQ  src_len+8(FP), DX
	MOVQ  i+24(FP), AX
	MOVOU quotes<>(SB), X13
	MOVOU slashes<>(SB), X14
	MOVOU spaces<>(SB), X15

block:
	LEAQ  64(AX), BX
	CMPQ  BX, DX
	JHI   tail
	STOPS(0, X0, X1, X2, R8)
	STOPS(16, X3, X4, X5, R9)
	STOPS(32, X6, X7, X8, R10)
	STOPS(48, X9, X10, X11, R11)
	SHLQ  $16, R9
	ORQ   R9, R8
	SHLQ  $16, R11
	ORQ   R11, R10
	SHLQ  $32, R10
	ORQ   R10, R8
	BSFQ  R8, R9
	JNZ   found
	MOVQ  BX, AX
	JMP   block

found:
	ADDQ  R9, AX
	MOVQ  AX, ret+32(FP)
	RET

tail:
	LEAQ  16(AX), BX
	CMPQ  BX, DX
	JHI   bytes
	STOPS(0, X0, X1, X2, R8)
	BSFQ  R8, R9
	JNZ   found
	MOVQ  BX, AX
	JMP   tail

bytes:
	CMPQ    AX, DX
	JGE     done
	MOVBLSX (SI)(AX*1), R8
	CMPL    R8, $0x20
	JLT     done
	CMPL    R8, $0x22
	JEQ     done
	CMPL    R8, $0x5c
	JEQ     done
	INCQ    AX
	JMP     bytes

done:
	MOVQ AX, ret+32(FP)
	RET
