/**
 * Constants in LLVM text.
 *
 * LLVM has no constant of a union whose first member is not the member that stands for it (see types.ts). Such a constant
 * is *loose*: as an initializer it has a packed struct type of its own with the same bytes, as clang writes it; as an
 * operand it is read from a private global.
 */

import { elementOffset } from '../../ir/element-address.js';
import type { ConstantId, FunctionId, GlobalId, TypeId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { ConstantKind, TypeKind } from '../../ir/schema.js';
import type { LayoutTable } from '../../types/layout.js';
import { quotedBytes } from '../../types/type-table.js';
import { llvmSymbol } from './names.js';
import type { LlvmTypes } from './types.js';

/** A constant with the type that its text has. */
export interface TypedConstant {
  readonly type: string;
  readonly text: string;
  /** Whether `type` is not the text of the constant's own type. */
  readonly loose: boolean;
}

/** The constants of one module, each written once. */
export class LlvmConstants {
  readonly #written: (TypedConstant | undefined)[] = [];

  constructor(
    readonly tables: ModuleTables,
    readonly types: LlvmTypes,
    readonly layout: LayoutTable,
  ) {}

  /** The constant and its type. Post-order by an explicit stack: aggregates nest as deep as their author likes. */
  typed(constant: ConstantId): TypedConstant {
    const { constants } = this.tables;
    const work: ConstantId[] = [constant];
    while (work.length > 0) {
      const current = work[work.length - 1] as ConstantId;
      if (this.#written[current] === undefined) {
        const missing = this.#members(current).filter((member) => this.#written[member] === undefined);
        if (missing.length > 0) {
          for (const member of missing) work.push(member);
          continue;
        }
        this.#written[current] =
          constants.kind(current) === ConstantKind.aggregate
            ? this.#aggregate(current)
            : { type: this.types.text(constants.type(current)), text: this.#leaf(current), loose: false };
      }
      work.pop();
    }
    return this.#written[constant] as TypedConstant;
  }

  #members(constant: ConstantId): ConstantId[] {
    const { constants } = this.tables;
    if (constants.kind(constant) !== ConstantKind.aggregate) return [];
    return Array.from({ length: constants.memberCount(constant) }, (_, index) =>
      constants.member(constant, index),
    );
  }

  #leaf(constant: ConstantId): string {
    const { constants } = this.tables;
    switch (constants.kind(constant)) {
      case ConstantKind.integer:
        return integerText(
          constants.integerValue(constant),
          this.tables.types.width(constants.type(constant)),
        );
      case ConstantKind.float:
        return floatText(constants.floatValue(constant), doubleBits(this.tables, constant));
      case ConstantKind.null:
        return 'null';
      case ConstantKind.undef:
        return 'undef';
      case ConstantKind.zero:
        return 'zeroinitializer';
      case ConstantKind.globalAddress:
        return llvmSymbol(this.tables.globalName(constants.addressee(constant) as GlobalId));
      case ConstantKind.elementAddress: {
        const name = llvmSymbol(this.tables.globalName(constants.addressee(constant) as GlobalId));
        const offset = elementOffset(this.tables, this.layout, constant);
        return offset === 0 ? name : `getelementptr inbounds (i8, ptr ${name}, i64 ${offset})`;
      }
      case ConstantKind.functionAddress:
        return llvmSymbol(this.tables.functionName(constants.addressee(constant) as FunctionId));
      default:
        return `c${quotedBytes(constants.byteContent(constant)).replaceAll(/\\[0-9a-f]{2}/g, (hex) => hex.toUpperCase())}`;
    }
  }

  #aggregate(constant: ConstantId): TypedConstant {
    const { constants, types } = this.tables;
    const type = constants.type(constant);
    const members = this.#members(constant).map((member) => this.#written[member] as TypedConstant);
    const isLoose = members.some((member) => member.loose);
    if (types.kind(type) === TypeKind.union) return this.#union(type, members[0] as TypedConstant);
    if (isLoose) return this.#packed(type, members);
    const written = (member: TypedConstant) => `${member.type} ${member.text}`;
    if (types.kind(type) === TypeKind.array)
      return { type: this.types.text(type), text: `[${members.map(written).join(', ')}]`, loose: false };
    const parts = this.types
      .parts(type)
      .map((part) =>
        part < 0 ? `[${~part} x i8] zeroinitializer` : written(members[part] as TypedConstant),
      );
    const text = `{ ${parts.join(', ')} }`;
    return { type: this.types.text(type), text, loose: false };
  }

  #union(type: TypeId, first: TypedConstant): TypedConstant {
    if (first.loose || this.types.unionMember(type) !== 0) return this.#packed(type, [first]);
    const padding = this.layout.size(type) - this.layout.size(this.tables.types.memberType(type, 0));
    const tail = padding > 0 ? `, [${padding} x i8] zeroinitializer` : '';
    return { type: this.types.text(type), text: `{ ${first.type} ${first.text}${tail} }`, loose: false };
  }

  /** The members at their offsets in a packed struct, with the gaps as bytes. */
  #packed(type: TypeId, members: readonly TypedConstant[]): TypedConstant {
    const { types } = this.tables;
    const parts: TypedConstant[] = [];
    let end = 0;
    const fill = (offset: number) => {
      if (offset > end) parts.push({ type: `[${offset - end} x i8]`, text: 'zeroinitializer', loose: false });
      end = offset;
    };
    members.forEach((member, index) => {
      const isArray = types.kind(type) === TypeKind.array;
      const memberType = isArray ? types.element(type) : types.memberType(type, index);
      const size = this.layout.size(memberType);
      fill(isArray ? index * size : this.layout.offset(type, index));
      parts.push(member);
      end += size;
    });
    fill(this.layout.size(type));
    return {
      type: `<{ ${parts.map((part) => part.type).join(', ')} }>`,
      text: `<{ ${parts.map((part) => `${part.type} ${part.text}`).join(', ')} }>`,
      loose: true,
    };
  }
}

function integerText(value: bigint, width: number): string {
  return width === 1 ? String(value !== 0n) : String(value);
}

const view = new DataView(new ArrayBuffer(8));

/** The bits of a float constant as a double, which is how LLVM writes a float too; a NaN keeps its payload. */
function doubleBits(tables: ModuleTables, constant: ConstantId): bigint {
  const { constants, types } = tables;
  const bits = constants.floatBits(constant);
  if (types.width(constants.type(constant)) === 64) return bits;
  const fraction = bits & 0x7fffffn;
  if (((bits >> 23n) & 0xffn) === 0xffn) return ((bits >> 31n) << 63n) | (0x7ffn << 52n) | (fraction << 29n);
  view.setFloat64(0, constants.floatValue(constant));
  return view.getBigUint64(0);
}

/** As LLVM prints it: six decimals where they say exactly this value, else the bits of the double. */
function floatText(value: number, bits: bigint): string {
  const decimal = value.toExponential(6).replace(/e([+-])(\d)$/, 'e$10$2');
  const isExact = Number.isFinite(value) && Number(decimal) === value && !Object.is(value, -0);
  if (isExact || Object.is(value, -0)) return Object.is(value, -0) ? '-0.000000e+00' : decimal;
  return `0x${bits.toString(16).toUpperCase().padStart(16, '0')}`;
}
