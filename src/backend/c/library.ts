/**
 * The functions of the C library that a module may declare: the header that declares them, and their C types. A text includes
 * the header and casts, instead of a declaration of its own that contradicts it.
 */

import type { TypeId } from '../../ir/entities.js';
import { TypeKind } from '../../ir/schema.js';
import type { TypeTable } from '../../types/type-table.js';

/** A function of the C library. */
export interface LibraryFunction {
  readonly header: string;
  readonly result: string;
  readonly parameters: readonly string[];
  readonly isVarargs: boolean;
  /** Which parameter is a printf format, or -1. */
  readonly format: number;
  readonly isNoReturn: boolean;
}

/** header: result name(parameters) */
const PROTOTYPES = `
stdio.h: int printf(const char *, ...)
stdio.h: int sprintf(char *, const char *, ...)
stdio.h: int snprintf(char *, size_t, const char *, ...)
stdio.h: int fprintf(FILE *, const char *, ...)
stdio.h: int sscanf(const char *, const char *, ...)
stdio.h: int scanf(const char *, ...)
stdio.h: int puts(const char *)
stdio.h: int putchar(int)
stdio.h: int getchar(void)
stdio.h: int fputs(const char *, FILE *)
stdio.h: int fputc(int, FILE *)
stdio.h: int fgetc(FILE *)
stdio.h: char * fgets(char *, int, FILE *)
stdio.h: int fflush(FILE *)
stdio.h: FILE * fopen(const char *, const char *)
stdio.h: int fclose(FILE *)
stdio.h: int feof(FILE *)
stdio.h: size_t fread(void *, size_t, size_t, FILE *)
stdio.h: size_t fwrite(const void *, size_t, size_t, FILE *)
stdio.h: void perror(const char *)
stdio.h: int remove(const char *)
stdlib.h: void * malloc(size_t)
stdlib.h: void * calloc(size_t, size_t)
stdlib.h: void * realloc(void *, size_t)
stdlib.h: void * aligned_alloc(size_t, size_t)
stdlib.h: void free(void *)
stdlib.h: noreturn void exit(int)
stdlib.h: noreturn void _Exit(int)
stdlib.h: noreturn void abort(void)
stdlib.h: int atoi(const char *)
stdlib.h: long atol(const char *)
stdlib.h: double atof(const char *)
stdlib.h: long strtol(const char *, char **, int)
stdlib.h: unsigned long strtoul(const char *, char **, int)
stdlib.h: double strtod(const char *, char **)
stdlib.h: int abs(int)
stdlib.h: long labs(long)
stdlib.h: int rand(void)
stdlib.h: void srand(unsigned)
stdlib.h: char * getenv(const char *)
stdlib.h: int system(const char *)
string.h: void * memcpy(void *, const void *, size_t)
string.h: void * memmove(void *, const void *, size_t)
string.h: void * memset(void *, int, size_t)
string.h: int memcmp(const void *, const void *, size_t)
string.h: void * memchr(const void *, int, size_t)
string.h: size_t strlen(const char *)
string.h: int strcmp(const char *, const char *)
string.h: int strncmp(const char *, const char *, size_t)
string.h: char * strcpy(char *, const char *)
string.h: char * strncpy(char *, const char *, size_t)
string.h: char * strcat(char *, const char *)
string.h: char * strncat(char *, const char *, size_t)
string.h: char * strchr(const char *, int)
string.h: char * strrchr(const char *, int)
string.h: char * strstr(const char *, const char *)
string.h: size_t strspn(const char *, const char *)
string.h: size_t strcspn(const char *, const char *)
ctype.h: int isalnum(int)
ctype.h: int isalpha(int)
ctype.h: int isdigit(int)
ctype.h: int islower(int)
ctype.h: int isprint(int)
ctype.h: int ispunct(int)
ctype.h: int isspace(int)
ctype.h: int isupper(int)
ctype.h: int isxdigit(int)
ctype.h: int tolower(int)
ctype.h: int toupper(int)
time.h: long clock(void)
`;

const UNARY_MATH =
  'acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc';
const BINARY_MATH = 'atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder';

const FORMATS: Readonly<Record<string, number>> = { printf: 0, sprintf: 1, snprintf: 2, fprintf: 1 };

const FUNCTIONS: ReadonlyMap<string, LibraryFunction> = readTable();

/** The library function of that name, if it is one of the table. */
export function libraryFunction(name: string): LibraryFunction | undefined {
  return FUNCTIONS.get(name);
}

/** Whether calling the library function as VIR declares it passes and returns the same bits. */
export function matchesLibrary(types: TypeTable, type: TypeId, found: LibraryFunction): boolean {
  if (types.isVarargs(type) !== found.isVarargs || types.memberCount(type) !== found.parameters.length)
    return false;
  const result = types.result(type);
  if (types.kind(result) !== TypeKind.void && !matches(types, result, found.result)) return false;
  return found.parameters.every((parameter, index) =>
    matches(types, types.memberType(type, index), parameter),
  );
}

function matches(types: TypeTable, type: TypeId, text: string): boolean {
  if (text.endsWith('*')) return types.isPointer(type);
  if (text === 'double' || text === 'float')
    return types.isFloat(type) && types.width(type) === (text === 'float' ? 32 : 64);
  if (text === 'void') return types.kind(type) === TypeKind.void;
  return types.isInteger(type) && types.width(type) === libraryIntegerWidth(text);
}

/** The width of an integer type of the table on the 64-bit targets that C text is for. */
export function libraryIntegerWidth(text: string): number {
  return text === 'int' || text === 'unsigned' ? 32 : 64;
}

function readTable(): Map<string, LibraryFunction> {
  const table = new Map<string, LibraryFunction>();
  const lines = PROTOTYPES.trim().split('\n');
  for (const name of UNARY_MATH.split(' ')) {
    lines.push(`math.h: double ${name}(double)`, `math.h: float ${name}f(float)`);
  }
  for (const name of BINARY_MATH.split(' ')) {
    lines.push(`math.h: double ${name}(double, double)`, `math.h: float ${name}f(float, float)`);
  }
  lines.push('math.h: double fma(double, double, double)', 'math.h: float fmaf(float, float, float)');
  lines.push('math.h: double ldexp(double, int)', 'math.h: double scalbn(double, int)');
  for (const line of lines) {
    const [, header, noReturn, result, name, list] = /^(\S+): (noreturn )?(.*?) ?(\w+)\((.*)\)$/.exec(
      line,
    ) as string[];
    const parameters = list === 'void' ? [] : (list as string).split(', ');
    const isVarargs = parameters[parameters.length - 1] === '...';
    if (isVarargs) parameters.pop();
    table.set(name as string, {
      header: header as string,
      result: result as string,
      parameters,
      isVarargs,
      format: FORMATS[name as string] ?? -1,
      isNoReturn: noReturn !== undefined,
    });
  }
  return table;
}
