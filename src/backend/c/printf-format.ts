/** What a printf format expects of its arguments, so that a call with a literal format passes exactly these C types. */

const CONVERSION = /%(?:%|[-+ #0']*(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L)?([a-zA-Z]))/g;

const INTEGER_TYPES: Readonly<Record<string, readonly [string, string]>> = {
  '': ['int', 'unsigned'],
  hh: ['int', 'unsigned'],
  h: ['int', 'unsigned'],
  l: ['long', 'unsigned long'],
  ll: ['long long', 'unsigned long long'],
  j: ['intmax_t', 'uintmax_t'],
  z: ['size_t', 'size_t'],
  t: ['ptrdiff_t', 'ptrdiff_t'],
};

/** The C type of each argument, or undefined when the format is one that we do not understand. */
export function formatArguments(format: string): readonly string[] | undefined {
  const result: string[] = [];
  const rest = format.replace(
    CONVERSION,
    (text, width: string, precision: string, length: string, letter: string) => {
      if (text === '%%') return '';
      if (width === '*') result.push('int');
      if (precision === '*') result.push('int');
      result.push(argumentType(letter, length ?? '') ?? '?');
      return '';
    },
  );
  return rest.includes('%') || result.includes('?') ? undefined : result;
}

function argumentType(letter: string, length: string): string | undefined {
  const [signed, unsigned] = INTEGER_TYPES[length] ?? [];
  if ('di'.includes(letter)) return signed;
  if ('uoxX'.includes(letter)) return unsigned;
  if ('fFeEgGaA'.includes(letter)) return length === '' || length === 'l' ? 'double' : undefined;
  if (letter === 'c' && length === '') return 'int';
  if (letter === 's' && length === '') return 'char *';
  if (letter === 'p' && length === '') return 'void *';
  return undefined;
}
