//go:build !purego

#include "textflag.h"

// A constant for each of the 32 bytes of a vector, by eight.
#define EACH(NAME, W) \
	DATA NAME<>+0(SB)/8, $W  \
	DATA NAME<>+8(SB)/8, $W  \
	DATA NAME<>+16(SB)/8, $W \
	DATA NAME<>+24(SB)/8, $W \
	GLOBL NAME<>(SB), RODATA|NOPTR, $32

// A table of sixteen bytes for VPSHUFB, which wants it twice.
#define TABLE(NAME, LOW, HIGH) \
	DATA NAME<>+0(SB)/8, $LOW   \
	DATA NAME<>+8(SB)/8, $HIGH  \
	DATA NAME<>+16(SB)/8, $LOW  \
	DATA NAME<>+24(SB)/8, $HIGH \
	GLOBL NAME<>(SB), RODATA|NOPTR, $32

EACH(eachQuote, 0x2222222222222222)
EACH(eachSlash, 0x5c5c5c5c5c5c5c5c)
EACH(eachSpace, 0x2020202020202020)
EACH(eachU, 0x7575757575757575)
EACH(eachNibble, 0x0f0f0f0f0f0f0f0f)
EACH(eachLetter, 0x0f0f0f0f0f0f0f0f)
EACH(eachHex, 0x3030303030303030)
EACH(eachThree, 0x6060606060606060) // taken away, leaves the top bit where three bytes begin
EACH(eachFour, 0x7070707070707070)  // and where four do
EACH(eachTop, 0x8080808080808080)

// What may stand behind a backslash (the bits 1 to 8), and in the four places
// behind \u (10 and 20), by the low half of a byte and by its high one: where both
// have a bit.
TABLE(classLow, 0x10343838303d3010, 0x0104000200001010)
TABLE(classHigh, 0x0824022010010000, 0x0000000000000000)

// The faults of UTF-8 that two bytes can have, a bit each, by the halves of the
// first and by the high half of the second: where all three have a bit. See Keiser
// and Lemire, Validating UTF-8 in less than one instruction per byte.
TABLE(firstHigh, 0x0202020202020202, 0x4915012180808080)
TABLE(firstLow, 0xcbcbcb8b8383a3e7, 0xcbcbdbcbcbcbcbcb)
TABLE(secondHigh, 0x0101010101010101, 0x01010101babaaee6)

// MASK makes of the bytes of two vectors of which the top bit is set a word.
#define MASK(A, B, TMP, TO) \
	VPMOVMSKB A, TO    \
	VPMOVMSKB B, TMP   \
	SHLQ      $32, TMP \
	ORQ       TMP, TO

// ESCAPED sets in TO the bytes that the backslashes in R12 escape; R8 is 1 where the
// one before is a backslash that escapes the first, and becomes so for the next. Of
// backslashes in a row the first, the third and so on escape: subtracting the places
// where a row may begin carries through each row and leaves, folded with the odd
// places, every second one and what it escapes. It uses R14 and R15.
#define ESCAPED(TO) \
	MOVQ R8, TO                   \
	NOTQ TO                       \
	ANDQ R12, TO                  \
	LEAQ (TO)(TO*1), R14          \
	MOVQ $0xAAAAAAAAAAAAAAAA, R15 \
	ORQ  R15, R14                 \
	SUBQ TO, R14                  \
	XORQ R15, R14                 \
	MOVQ R12, TO                  \
	ORQ  R8, TO                   \
	XORQ R14, TO                  \
	MOVQ R12, R8                  \
	ANDQ R14, R8                  \
	SHRQ $63, R8

// CLASS sets the bits that classLow and classHigh have for the bytes of FROM.
#define CLASS(FROM, TMP, TO) \
	VPSRLW  $4, FROM, TMP              \
	VPAND   eachNibble<>(SB), TMP, TMP \
	VMOVDQU classHigh<>(SB), TO        \
	VPSHUFB TMP, TO, TO                \
	VMOVDQU classLow<>(SB), TMP        \
	VPSHUFB FROM, TMP, TMP             \
	VPAND   TMP, TO, TO

// FAULTS sets bits in TO where the bytes at OFF from SI on, that are in FROM, are
// not UTF-8: where two of them do not go together, and where two that continue a
// character, which is a fault in the tables, come without one that begins it two or
// three bytes before, or the other way round. The bytes before are loaded again,
// which is cheaper than shifting them in.
#define FAULTS(OFF, FROM, TO) \
	VMOVDQU  (OFF-1)(SI), Y4          \
	VPSRLW   $4, Y4, Y5               \
	VPAND    eachNibble<>(SB), Y5, Y5 \
	VMOVDQU  firstHigh<>(SB), Y6      \
	VPSHUFB  Y5, Y6, Y6               \
	VPAND    eachNibble<>(SB), Y4, Y4 \
	VMOVDQU  firstLow<>(SB), Y7       \
	VPSHUFB  Y4, Y7, Y7               \
	VPAND    Y7, Y6, Y6               \
	VPSRLW   $4, FROM, Y5             \
	VPAND    eachNibble<>(SB), Y5, Y5 \
	VMOVDQU  secondHigh<>(SB), Y7     \
	VPSHUFB  Y5, Y7, Y7               \
	VPAND    Y7, Y6, Y6               \
	VMOVDQU  (OFF-2)(SI), Y4          \
	VPSUBUSB eachThree<>(SB), Y4, Y4  \
	VMOVDQU  (OFF-3)(SI), Y5          \
	VPSUBUSB eachFour<>(SB), Y5, Y5   \
	VPOR     Y4, Y5, Y5               \
	VPAND    eachTop<>(SB), Y5, Y5    \
	VPXOR    Y5, Y6, TO

// func markBlocks(first *byte, blocks int, stops, slashes *uint64) (marked int)
TEXT ·markBlocks(SB), NOSPLIT, $0-40
	MOVQ    first+0(FP), SI
	MOVQ    stops+16(FP), DI
	MOVQ    slashes+24(FP), DX
	XORQ    AX, AX               // blocks that are marked
	XORQ    R8, R8               // 1 where the byte before is a backslash that escapes
	XORQ    R9, R9               // bytes beyond ASCII in the block before
	XORQ    R10, R10             // places for hexadecimal digits that the block before has left
	VMOVDQU eachQuote<>(SB), Y15
	VMOVDQU eachSlash<>(SB), Y14
	VMOVDQU eachSpace<>(SB), Y13
	VPXOR   Y12, Y12, Y12

block:
	CMPQ     AX, blocks+8(FP)
	JGE      done
	VMOVDQU  (SI), Y0
	VMOVDQU  32(SI), Y1
	VPCMPEQB Y0, Y15, Y2
	VPCMPEQB Y1, Y15, Y3
	MASK(Y2, Y3, CX, R11)        // R11: quotes
	VPCMPEQB Y0, Y14, Y4
	VPCMPEQB Y1, Y14, Y5
	MASK(Y4, Y5, CX, R12)        // R12: backslashes
	VPCMPGTB Y0, Y13, Y6
	VPCMPGTB Y1, Y13, Y7
	MASK(Y6, Y7, CX, BX)         // BX: less than a space, as signed numbers
	MASK(Y0, Y1, CX, R15)        // R15: beyond ASCII
	SHRQ     $63, R9             // a character may go on from there
	ORQ      R15, R9
	JNZ      wide

narrow:
	MOVQ R15, R9
	XORQ R15, BX                 // BX: controls
	MOVQ R12, CX
	ORQ  R8, CX
	ORQ  R10, CX
	JNZ  escapes

plain:
	ORQ  R11, BX
	MOVQ BX, (DI)(AX*8)
	MOVQ R12, (DX)(AX*8)
	INCQ AX
	ADDQ $64, SI
	JMP  block

done:
	MOVQ $0, (DI)(AX*8)
	MOVQ $0, (DX)(AX*8)
	MOVQ AX, marked+32(FP)
	VZEROUPPER
	RET

wide:
	FAULTS(0, Y0, Y2)
	FAULTS(32, Y1, Y3)
	VPOR   Y2, Y3, Y2
	VPTEST Y2, Y2
	JZ     narrow
	JMP    done

escapes:
	ESCAPED(R13)
	MOVQ R13, CX
	NOTQ CX
	ANDQ CX, R11
	CLASS(Y0, Y4, Y2)
	CLASS(Y1, Y5, Y3)
	VPAND    eachLetter<>(SB), Y2, Y4
	VPAND    eachLetter<>(SB), Y3, Y5
	VPCMPEQB Y4, Y12, Y4
	VPCMPEQB Y5, Y12, Y5
	MASK(Y4, Y5, CX, R14)
	ANDQ R13, R14                // R14: escaped, and should not be
	VPCMPEQB eachU<>(SB), Y0, Y4
	VPCMPEQB eachU<>(SB), Y1, Y5
	MASK(Y4, Y5, CX, R15)
	ANDQ R13, R15                // R15: escaped u
	MOVQ R15, CX
	ORQ  R10, CX
	JZ   judge
	LEAQ (R15)(R15*1), R13
	LEAQ (R13)(R13*1), CX
	ORQ  CX, R13
	LEAQ (R13*4), CX
	ORQ  CX, R13
	ORQ  R10, R13                // R13: where digits must be
	MOVQ R15, R10
	SHRQ $60, R10
	MOVQ R10, CX
	SHRQ $1, CX
	ORQ  CX, R10
	MOVQ R10, CX
	SHRQ $2, CX
	ORQ  CX, R10
	VPAND    eachHex<>(SB), Y2, Y2
	VPAND    eachHex<>(SB), Y3, Y3
	VPCMPEQB Y2, Y12, Y2
	VPCMPEQB Y3, Y12, Y3
	MASK(Y2, Y3, CX, R15)
	ANDQ R13, R15
	ORQ  R15, R14

judge:
	TESTQ R14, R14
	JZ    plain
	JMP   done

// func compactBlocks(dst, src *byte, n int) (kept int)
TEXT ·compactBlocks(SB), NOSPLIT, $0-32
	MOVQ    dst+0(FP), DI
	MOVQ    src+8(FP), SI
	MOVQ    n+16(FP), CX
	XORQ    R10, R10             // all ones where the block before has ended in a string
	XORQ    R8, R8               // 1 where it has ended with a backslash that escapes
	VMOVDQU eachQuote<>(SB), Y15
	VMOVDQU eachSlash<>(SB), Y14
	VMOVDQU eachSpace<>(SB), Y13
	VPCMPEQB Y12, Y12, Y12

next:
	TESTQ    CX, CX
	JLE      compacted
	VMOVDQU  (SI), Y0
	VMOVDQU  32(SI), Y1
	VMOVDQU  Y0, (DI)
	VMOVDQU  Y1, 32(DI)
	VPCMPEQB Y0, Y15, Y2
	VPCMPEQB Y1, Y15, Y3
	MASK(Y2, Y3, BX, R11)        // R11: quotes
	VPCMPEQB Y0, Y14, Y4
	VPCMPEQB Y1, Y14, Y5
	MASK(Y4, Y5, BX, R12)        // R12: backslashes
	VPMINUB  Y0, Y13, Y6
	VPMINUB  Y1, Y13, Y7
	VPCMPEQB Y0, Y6, Y6
	VPCMPEQB Y1, Y7, Y7
	MASK(Y6, Y7, BX, R13)        // R13: white space, also in strings
	MOVQ     R12, BX
	ORQ      R8, BX
	JNZ      unquote

inside:
	// Multiplied without carries by all ones each bit is flipped by every quote up to it.
	VMOVQ      R11, X2
	VPCLMULQDQ $0, X12, X2, X2
	VMOVQ      X2, R11
	XORQ       R10, R11
	MOVQ       R11, R10
	SARQ       $63, R10
	NOTQ       R11
	ANDQ       R11, R13          // R13: to be dropped
	MOVQ       $64, R9
	CMPQ       CX, R9
	CMOVQLT    CX, R9            // R9: bytes of this block
	BZHIQ      R9, R13, R13
	MOVQ       R13, BX
	SHRQ       $1, BX
	NOTQ       BX
	ANDQ       R13, BX           // BX: the last of each run of them
	JZ         moved

move:
	// What stands behind a run is written again over it, with all that follows.
	BLSMSKQ BX, R14
	ANDQ    R13, R14
	POPCNTQ R14, R14             // what has been dropped up to here
	TZCNTQ  BX, R15
	VMOVDQU 1(SI)(R15*1), Y2
	VMOVDQU 33(SI)(R15*1), Y3
	SUBQ    R14, R15
	VMOVDQU Y2, 1(DI)(R15*1)
	VMOVDQU Y3, 33(DI)(R15*1)
	BLSRQ   BX, BX
	JNZ     move

moved:
	POPCNTQ R13, R14
	ADDQ    R9, DI
	SUBQ    R14, DI
	ADDQ    $64, SI
	SUBQ    $64, CX
	JMP     next

unquote:
	ESCAPED(BX)
	NOTQ BX
	ANDQ BX, R11
	JMP  inside

compacted:
	SUBQ dst+0(FP), DI
	MOVQ DI, kept+24(FP)
	VZEROUPPER
	RET
