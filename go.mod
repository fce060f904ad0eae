module ctxmigrate

go 1.26.0
