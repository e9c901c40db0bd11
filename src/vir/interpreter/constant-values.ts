/** Constants as values and as the initial content of globals. No recursion: constants nest as deep as their author likes. */

import { elementOffset } from '../../ir/element-address.js';
import type { ConstantId, FunctionId, GlobalId, TypeId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { ConstantKind, TypeKind } from '../../ir/schema.js';
import type { AccessTable } from './access.js';
import { Content } from './content.js';
import { NULL_POINTER, Pointer } from './memory.js';
import { floatFromBits, integerFromBits, type Slot } from './values.js';

/** Where the symbols of a module are. */
export interface SymbolAddresses {
  globalPointer(global: GlobalId): Pointer;
  functionPointer(callee: FunctionId): Pointer;
}

/** The values of a module's constants, made once each. */
export class ConstantValues {
  readonly #values = new Map<ConstantId, Slot>();

  constructor(
    readonly tables: ModuleTables,
    readonly accesses: AccessTable,
    readonly symbols: SymbolAddresses,
  ) {}

  /** A constant as a value. */
  value(constant: ConstantId): Slot {
    if (this.#values.has(constant)) return this.#values.get(constant);
    const { constants, types } = this.tables;
    const type = constants.type(constant);
    const isImage = types.isAggregate(type) && constants.kind(constant) !== ConstantKind.undef;
    const value = isImage ? this.#image(constant, type) : this.#scalar(constant);
    this.#values.set(constant, value);
    return value;
  }

  /** Writes a constant into fresh content; what it leaves undef stays undef. */
  write(content: Content, start: number, constant: ConstantId): void {
    const { constants } = this.tables;
    const { layout } = this.accesses;
    const work: [ConstantId, number][] = [[constant, start]];
    while (work.length > 0) {
      const [current, offset] = work.pop() as [ConstantId, number];
      const type = constants.type(current);
      switch (constants.kind(current)) {
        case ConstantKind.undef:
          content.undefine(offset, layout.size(type));
          break;
        case ConstantKind.zero:
          content.fill(offset, layout.size(type), 0);
          break;
        case ConstantKind.bytes:
          content.write(offset, constants.byteContent(current));
          break;
        case ConstantKind.aggregate:
          // What no member covers of a union, and padding, is zero in the static data of C and LLVM.
          content.fill(offset, layout.size(type), 0);
          for (let index = constants.memberCount(current) - 1; index >= 0; index--)
            work.push([constants.member(current, index), offset + this.#memberOffset(type, index)]);
          break;
        default:
          this.accesses.storer(type)(content, offset, this.value(current));
      }
    }
  }

  #memberOffset(type: TypeId, index: number): number {
    const { types } = this.tables;
    const { layout } = this.accesses;
    if (types.kind(type) === TypeKind.array) return index * layout.size(types.element(type));
    return layout.offset(type, index);
  }

  #image(constant: ConstantId, type: TypeId): Content {
    const image = new Content(this.accesses.layout.size(type));
    this.write(image, 0, constant);
    return image;
  }

  #scalar(constant: ConstantId): Slot {
    const { constants, types } = this.tables;
    const width = () => types.width(constants.type(constant));
    switch (constants.kind(constant)) {
      case ConstantKind.integer:
        return integerFromBits(width(), constants.integerBits(constant));
      case ConstantKind.float:
        return floatFromBits(width(), constants.floatBits(constant));
      case ConstantKind.null:
        return NULL_POINTER;
      case ConstantKind.globalAddress:
        return this.symbols.globalPointer(constants.addressee(constant) as GlobalId);
      case ConstantKind.elementAddress: {
        const { object, offset } = this.symbols.globalPointer(constants.addressee(constant) as GlobalId);
        return new Pointer(object, offset + elementOffset(this.tables, this.accesses.layout, constant));
      }
      case ConstantKind.functionAddress:
        return this.symbols.functionPointer(constants.addressee(constant) as FunctionId);
      default:
        return undefined;
    }
  }
}
