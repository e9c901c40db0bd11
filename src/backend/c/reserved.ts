/** Words that no identifier of ours may be (008/R20, Table 3). */

const KEYWORDS = `
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
alignas alignof bool complex imaginary noreturn static_assert thread_local true false nullptr constexpr typeof asm
typeof_unqual`;

/** C17 §7: functions, types, objects and macros of the standard library, except the families matched by `FAMILIES`. */
const STANDARD_LIBRARY = `
assert acos acosf acosh acoshf acoshl acosl asin asinf asinh asinhf asinhl asinl atan atan2 atan2f atan2l atanf atanh atanhf
atanhl atanl cabs cacos cacosh carg casin casinh catan catanh cbrt cbrtf cbrtl ccos ccosh ceil ceilf ceill cexp cimag clog conj
copysign copysignf copysignl cos cosf cosh coshf coshl cosl cpow cproj creal csin csinh csqrt ctan ctanh erf erfc erfcf erfcl
erff erfl exp exp2 exp2f exp2l expf expl expm1 expm1f expm1l fabs fabsf fabsl fdim fdimf fdiml floor floorf floorl fma fmaf fmal
fmax fmaxf fmaxl fmin fminf fminl fmod fmodf fmodl fpclassify frexp frexpf frexpl hypot hypotf hypotl ilogb ilogbf ilogbl
isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal isunordered ldexp ldexpf ldexpl
lgamma lgammaf lgammal llrint llrintf llrintl llround llroundf llroundl log log10 log10f log10l log1p log1pf log1pl log2 log2f
log2l logb logbf logbl logf logl lrint lrintf lrintl lround lroundf lroundl modf modff modfl nan nanf nanl nearbyint nearbyintf
nearbyintl nextafter nextafterf nextafterl nexttoward nexttowardf nexttowardl pow powf powl remainder remainderf remainderl
remquo remquof remquol rint rintf rintl round roundf roundl scalbln scalblnf scalblnl scalbn scalbnf scalbnl signbit sin sinf
sinh sinhf sinhl sinl sqrt sqrtf sqrtl tan tanf tanh tanhf tanhl tanl tgamma tgammaf tgammal trunc truncf truncl
errno fenv_t fexcept_t jmp_buf setjmp longjmp signal raise sig_atomic_t va_list va_start va_arg va_copy va_end lconv
localeconv setlocale ptrdiff_t size_t max_align_t wchar_t offsetof kill_dependency NULL
FILE fpos_t clearerr fclose feof ferror fflush fgetc fgetpos fgets fopen fprintf fputc fputs fread freopen fscanf fseek fsetpos
ftell fwrite getc getchar gets perror printf putc putchar puts remove rename rewind scanf setbuf setvbuf snprintf sprintf sscanf
stdin stdout stderr tmpfile tmpnam ungetc vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf BUFSIZ EOF
abort abs aligned_alloc at_quick_exit atexit atof atoi atol atoll bsearch calloc div div_t exit free getenv labs ldiv ldiv_t
llabs lldiv lldiv_t malloc mblen mbstowcs mbtowc qsort quick_exit rand realloc srand strtod strtof strtol strtold strtoll
strtoul strtoull system wcstombs wctomb EXIT_FAILURE EXIT_SUCCESS RAND_MAX MB_CUR_MAX
memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strerror strlen strncat strncmp strncpy strpbrk
strrchr strspn strstr strtok strxfrm asctime clock clock_t ctime difftime gmtime localtime mktime strftime time time_t timespec
timespec_get tm CLOCKS_PER_SEC call_once cnd_t mtx_t thrd_t tss_t once_flag
HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN MATH_ERRNO MATH_ERREXCEPT math_errhandling float_t double_t
CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX USHRT_MAX I imaxabs imaxdiv imaxdiv_t strtoimax
strtoumax isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper main
and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq`;

/** Macros of GNU C and of common systems, and functions that GCC knows though C17 has no such. */
const COMPILER_NAMES = `
linux unix i386 arm mips sparc sun vax near far huge pascal cdecl fortran min max environ
alloca bcmp bcopy bzero cexp10 creald dcgettext dgettext drem dremf execl execle execlp execv execve execvp exit_ exp10 exp10f
ffs ffsl ffsll finite finitef fork fprintf_unlocked fputc_unlocked fputs_unlocked fwrite_unlocked gamma gammaf gettext index
isascii j0 j0f j1 j1f jn jnf mempcpy pow10 pow10f printf_unlocked putc_unlocked putchar_unlocked puts_unlocked rindex
scalb scalbf significand significandf sincos sincosf stpcpy stpncpy strcasecmp strdup strfmon strncasecmp strndup strnlen
toascii y0 y0f y1 y1f yn ynf HUGE DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS M_E M_PI`;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const RESERVED: ReadonlySet<string> = new Set([...words(KEYWORDS), ...words(STANDARD_LIBRARY)]);
const COMPILER: ReadonlySet<string> = new Set(words(COMPILER_NAMES));
const KEYWORD_SET: ReadonlySet<string> = new Set(words(KEYWORDS));

/** Families of C17 §7.31 and of the headers that we include: `int8_t`, `UINT64_MAX`, `PRId32`, `EINVAL`, `atomic_load`, … */
const FAMILIES =
  /^(u?int(_least|_fast)?\d+_t|u?int(max|ptr)_t|U?INT(_LEAST|_FAST)?\d+_(MAX|MIN|C)|U?INT(MAX|PTR)_(MAX|MIN|C)|(SIZE|PTRDIFF|WCHAR|WINT|SIG_ATOMIC|U?INT|U?L?LONG|U?LLONG)_(MAX|MIN)|PRI[a-zA-Z].*|SCN[a-zA-Z].*|E[0-9A-Z]+|SIG_?[A-Z]+|LC_[A-Z]+|FE_[A-Z]+|FP_[A-Z]+|(FLT|DBL|LDBL|DECIMAL)_[A-Z_0-9]+|SEEK_[A-Z]+|TIME_[A-Z]+|L_tmpnam|TMP_MAX|FOPEN_MAX|FILENAME_MAX|_IO[FLN]BF|atomic_.*|memory_order.*|ATOMIC_.*|(mtx|cnd|thrd|tss)_.*|wcs.*|wmem.*|isw.*|tow.*|M_[A-Z0-9_]+)$/;

/** Whether a name means something to C itself: a keyword, a standard library name, or one reserved for the implementation. */
export function isReservedName(name: string): boolean {
  return (
    RESERVED.has(name) ||
    COMPILER.has(name) ||
    FAMILIES.test(name) ||
    name.startsWith('_') ||
    name.startsWith('vct_') ||
    name.startsWith('VCT_')
  );
}

/** Whether a name may not even name a local variable: everything reserved but functions that only compilers know. */
export function isReservedLocalName(name: string): boolean {
  return (
    isReservedName(name) &&
    !(
      COMPILER.has(name) &&
      !/^(linux|unix|i386|arm|mips|sparc|sun|vax|near|far|huge|pascal|cdecl|fortran|min|max)$/.test(name) &&
      !/^[A-Z]/.test(name)
    )
  );
}

/** Whether a name is a C identifier and no keyword, so that a symbol can be spelled as it is. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORD_SET.has(name);
}
