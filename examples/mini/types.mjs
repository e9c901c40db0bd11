// @ts-check
/** The types of mini. Each type is one object, so that equal types are the same object. */

/**
 * @typedef {{ kind: 'void' | 'bool', name: string }} PlainType
 * @typedef {{ kind: 'integer', name: string, bits: number, signed: boolean }} IntegerType
 * @typedef {{ kind: 'float', name: string, bits: number }} FloatType
 * @typedef {{ kind: 'pointer', name: string, to: Type }} PointerType
 * @typedef {{ kind: 'array', name: string, element: Type, count: number }} ArrayType
 * @typedef {{ name: string, type: Type }} Field
 * @typedef {{ kind: 'struct', name: string, fields: Field[] }} StructType
 * @typedef {{ kind: 'function', name: string, parameters: Type[], result: Type, varargs: boolean }} FunctionType
 * @typedef {PlainType | IntegerType | FloatType | PointerType | ArrayType | StructType | FunctionType} Type
 */

/** @type {PlainType} */
export const VOID = { kind: 'void', name: 'void' };
/** @type {PlainType} */
export const BOOL = { kind: 'bool', name: 'bool' };

/** @type {Map<string, Type>} every type that can be written with one word, but for structs */
export const NAMED_TYPES = new Map(
  /** @type {Type[]} */ ([
    VOID,
    BOOL,
    ...[8, 16, 32, 64].flatMap((bits) => [
      { kind: 'integer', name: `i${bits}`, bits, signed: true },
      { kind: 'integer', name: `u${bits}`, bits, signed: false },
    ]),
    { kind: 'float', name: 'f32', bits: 32 },
    { kind: 'float', name: 'f64', bits: 64 },
  ]).map((type) => [type.name, type]),
);

const named = (/** @type {string} */ name) => /** @type {Type} */ (NAMED_TYPES.get(name));
export const I32 = named('i32');
export const I64 = named('i64');
export const U8 = named('u8');
export const F64 = named('f64');

/** @type {WeakMap<Type, Map<string, Type>>} types made of another type, by their name within it */
const derived = new WeakMap();

/**
 * @template {Type} T
 * @param {Type} of @param {string} key @param {() => T} make
 * @returns {T}
 */
function intern(of, key, make) {
  const types = derived.get(of) ?? new Map();
  derived.set(of, types);
  const type = types.get(key) ?? make();
  types.set(key, type);
  return /** @type {T} */ (type);
}

/** @param {Type} to @returns {PointerType} */
export function pointerTo(to) {
  return intern(to, '*', () => ({ kind: 'pointer', name: `*${to.name}`, to }));
}

/** @param {Type} element @param {number} count @returns {ArrayType} */
export function arrayOf(element, count) {
  const name = `[${count}]${element.name}`;
  return intern(element, name, () => ({ kind: 'array', name, element, count }));
}

/** @type {WeakMap<Type, number>} a number for each type that stands in a function type */
const numbers = new WeakMap();
let nextNumber = 0;

/** @param {Type} type */
function numberOf(type) {
  const number = numbers.get(type) ?? nextNumber++;
  numbers.set(type, number);
  return number;
}

/** @param {Type[]} parameters @param {Type} result @param {boolean} varargs @returns {FunctionType} */
export function functionType(parameters, result, varargs = false) {
  // Two structs of two programs may have one name, so the key holds numbers.
  const key = `fn${parameters.map(numberOf).join()}${varargs ? '...' : ''}`;
  const names = [...parameters.map((type) => type.name), ...(varargs ? ['...'] : [])];
  const name = `fn(${names.join(', ')}): ${result.name}`;
  return intern(result, key, () => ({ kind: 'function', name, parameters, result, varargs }));
}

/** @param {Type} type */
export const isInteger = (type) => type.kind === 'integer';
/** @param {Type} type */
export const isNumber = (type) => type.kind === 'integer' || type.kind === 'float';
/** @param {Type} type */
export const isPointer = (type) => type.kind === 'pointer';
/** @param {Type} type */
export const isAggregate = (type) => type.kind === 'struct' || type.kind === 'array';

/**
 * Whether every value of `from` is a value of `to`, so that the conversion needs no `as`.
 * @param {Type} from @param {Type} to
 */
export function widens(from, to) {
  if (from === to) return true;
  if (from.kind === 'float' && to.kind === 'float') return from.bits < to.bits;
  if (from.kind === 'integer' && to.kind === 'integer') {
    return from.bits < to.bits && (from.signed === to.signed || to.signed);
  }
  if (from.kind === 'pointer' && to.kind === 'pointer') return from.to === VOID || to.to === VOID;
  return false;
}

/**
 * Size and alignment in bytes, as a C compiler for a 64-bit machine lays the type out.
 * @param {Type} type
 * @returns {{ size: number, align: number }}
 */
export function layout(type) {
  switch (type.kind) {
    case 'integer':
    case 'float':
      return { size: type.bits / 8, align: type.bits / 8 };
    case 'pointer':
    case 'function':
      return { size: 8, align: 8 };
    case 'array': {
      const { size, align } = layout(type.element);
      return { size: size * type.count, align };
    }
    case 'struct': {
      let size = 0;
      let align = 1;
      for (const field of type.fields) {
        const member = layout(field.type);
        size = Math.ceil(size / member.align) * member.align + member.size;
        align = Math.max(align, member.align);
      }
      return { size: Math.ceil(size / align) * align, align };
    }
    default:
      return { size: 1, align: 1 };
  }
}
