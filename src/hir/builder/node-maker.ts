/** Makes the expressions of one module: operators, conversions, places, members and calls. */

import { fail } from '../../diag/diagnostic.js';
import { elementType, pathText } from '../../ir/element-address.js';
import { type FunctionId, type GlobalId, NONE, type Node, type TypeId } from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { Opcode, type OpcodeName } from '../../ir/opcodes.js';
import { typeText } from '../../ir/operation-rules.js';
import {
  ConstantKind,
  INTEGER_PREDICATES,
  type IntegerPredicate,
  Linkage,
  TypeKind,
} from '../../ir/schema.js';
import { traitEntry } from '../../traits/trait-sets.js';
import { Trait } from '../../traits/trait-table.js';
import { callSite } from './call-site.js';
import { Expression, type Operand } from './expression.js';
import { wanted } from './given.js';
import { NodeCore } from './node-core.js';
import {
  type BinaryName,
  binaryOpcode,
  type CompareName,
  comparesSigned,
  comparison,
} from './operator-table.js';
import { type AccessOptions, accessAux, Place } from './place.js';
import { traits } from './traits.js';
import type { FunctionType, I1, PointerType, Type, VoidType } from './types.js';
/** Makes nodes. One a module; `sink` is the function that is being built now. */
export class NodeMaker extends NodeCore {
  protected override readonly self = this;

  binary(name: BinaryName, left: Operand, right: Operand): Expression {
    const operands = this.pair(left, right);
    const type = operands[0].typeId;
    const opcode = binaryOpcode(this.tables, name, type);
    if (opcode === NONE) this.operandsFault(name, 'numbers', type);
    return this.operation(opcode, type, NONE, operands);
  }

  compare(name: CompareName, left: Operand, right: Operand): Expression<I1> {
    const operands = this.pair(left, right);
    const { opcode, predicate } = comparison(this.tables, name, operands[0].typeId);
    return this.operation(opcode, this.tables.types.i1, predicate, operands) as Expression<I1>;
  }

  integerCompare(predicate: IntegerPredicate, left: Operand, right: Operand): Expression<I1> {
    const number = INTEGER_PREDICATES.indexOf(predicate);
    if (number < 0) fail('VCT0307', { what: 'integer predicate', found: String(predicate) }, callSite());
    return this.operation(
      Opcode.icmp,
      this.tables.types.i1,
      number,
      this.pair(left, right),
    ) as Expression<I1>;
  }

  negate(value: Expression): Expression {
    const { types, constants } = this.tables;
    if (types.isFloat(value.typeId)) return this.operation(Opcode.fneg, value.typeId, NONE, [value]);
    if (!types.isInteger(value.typeId)) this.operandsFault('neg', 'a number', value.typeId);
    const zero = this.constant(constants.integer(value.typeId, 0n));
    return this.operation(Opcode.sub, value.typeId, NONE, [zero, value]);
  }

  complement(value: Expression): Expression {
    const { types, constants } = this.tables;
    if (!types.isInteger(value.typeId)) this.operandsFault('not', 'an integer', value.typeId);
    const ones = this.constant(constants.integer(value.typeId, -1n));
    return this.operation(Opcode.xor, value.typeId, NONE, [value, ones]);
  }

  logical(name: 'logicalAnd' | 'logicalOr', left: Operand, right: Operand): Expression<I1> {
    const { i1 } = this.tables.types;
    const operands = [this.typed(left, i1, name), this.typed(right, i1, name)];
    return this.node(NodeKind[name], i1, NONE, NONE, operands) as Expression<I1>;
  }

  /** Evaluates only the chosen one of the two. */
  conditional(condition: Operand, left: Operand, right: Operand): Expression {
    const test = this.typed(condition, this.tables.types.i1, 'conditional');
    const [first, second] = this.pair(left, right);
    if (first.typeId !== second.typeId) this.wrongType('conditional', first.typeId, second.typeId);
    return this.node(NodeKind.conditional, first.typeId, NONE, NONE, [test, first, second]);
  }

  select(condition: Operand, left: Operand, right: Operand): Expression {
    const test = this.typed(condition, this.tables.types.i1, 'select');
    return this.operation(Opcode.select, NONE as TypeId, NONE, [test, ...this.pair(left, right)]);
  }

  cast<Target extends Type>(name: OpcodeName, value: Operand, type: Target): Expression<Target> {
    const operand = this.expression(value, NONE as TypeId, name);
    return this.operation(Opcode[name], this.types.id(type), NONE, [operand]) as Expression<Target>;
  }

  /** The value as another type; see `FunctionBuilder.convert`. */
  convert<Target extends Type>(value: Operand, type: Target): Expression<Target> {
    const target = this.types.id(type);
    const operand = this.expression(value, target, 'convert');
    return this.#convertTo(operand, target) as Expression<Target>;
  }

  #convertTo(operand: Expression, target: TypeId): Expression {
    const from = operand.typeId;
    const { types } = this.tables;
    if (from === target) return operand;
    if (target === types.i1 && (types.isScalar(from) || from === target))
      return this.compare('ne', operand, this.constant(this.tables.constants.zero(from)));
    const opcode = this.#conversion(from, target);
    if (opcode === NONE)
      fail('VCT0309', { from: typeText(this.tables, from), to: typeText(this.tables, target) }, callSite());
    return this.operation(opcode, target, NONE, [operand]);
  }

  #conversion(from: TypeId, to: TypeId): number {
    const { types } = this.tables;
    const wider = types.isScalar(from) && types.isScalar(to) && types.width(to) > types.width(from);
    if (types.isInteger(from)) {
      if (types.isFloat(to)) return comparesSigned(this.tables, from) ? Opcode.sitofp : Opcode.uitofp;
      if (types.isPointer(to)) return Opcode.inttoptr;
      if (!types.isInteger(to)) return NONE;
      if (types.width(from) === types.width(to)) return Opcode.bitcast;
      if (!wider) return Opcode.trunc;
      return comparesSigned(this.tables, from) ? Opcode.sext : Opcode.zext;
    }
    if (types.isFloat(from)) {
      if (types.isFloat(to)) return wider ? Opcode.fpext : Opcode.fptrunc;
      if (types.isInteger(to)) return types.isSigned(to) ? Opcode.fptosi : Opcode.fptoui;
      return NONE;
    }
    if (types.isPointer(from)) {
      if (types.isInteger(to)) return Opcode.ptrtoint;
      if (types.isPointer(to)) return Opcode.bitcast;
    }
    return NONE;
  }

  /** The place that a pointer points to. */
  dereference(pointer: Expression): Place {
    const { types } = this.tables;
    if (!types.isPointer(pointer.typeId)) this.operandsFault('deref', 'a pointer', pointer.typeId);
    const pointee = types.pointee(pointer.typeId);
    return new Place(this, pointee, pointer, pointee, []);
  }

  /** The place `index` values after the one that a pointer points to. */
  element(pointer: Expression, index: Operand): Place {
    const { base, sourceId } = this.dereference(pointer);
    return new Place(this, sourceId, base, sourceId, [this.indexExpression(index)]);
  }

  /** A literal index is an i32 where it fits, else an i64. */
  indexExpression(index: Operand): Expression {
    const { types } = this.tables;
    const fits = typeof index !== 'number' || (index >= -(2 ** 31) && index < 2 ** 31);
    return this.expression(index, fits && typeof index !== 'bigint' ? types.i32 : types.i64);
  }

  placeAddress(place: Place): Expression {
    if (place.steps.length === 0) return place.base;
    const { types } = this.tables;
    const type = types.pointer(place.typeId);
    return this.operation(Opcode.gep, type, place.sourceId, [place.base, ...place.steps]);
  }

  /** The address of a place in a global whose indices are constants. */
  constantAddress(place: Place): Expression {
    const { constants, types } = this.tables;
    const { constant } = place.base;
    if (constant === NONE || !constants.isWithinGlobal(constant)) fail('VCT0345', {}, callSite());
    const indices = place.steps.map((step) =>
      step.constant !== NONE && constants.kind(step.constant) === ConstantKind.integer
        ? Number(constants.integerValue(step.constant))
        : NONE,
    );
    const global = constants.addressee(constant) as GlobalId;
    const root = this.tables.globalType(global);
    const start = constants.elementPath(constant);
    const isFromThere = elementType(types, root, start) === place.sourceId && (indices[0] ?? 0) === 0;
    if (!isFromThere || indices.includes(NONE)) fail('VCT0345', {}, callSite());
    const path = [...start, ...indices.slice(1)];
    if (elementType(types, root, path) === undefined)
      fail('VCT0132', { name: this.tables.globalName(global), path: pathText(path) }, callSite());
    return this.constant(constants.elementAddress(types.pointer(place.typeId), global, path));
  }

  /** `abort` of the C library: the one that the module declares, or one that is declared now. */
  abort(): Expression<PointerType<FunctionType<readonly [], VoidType>>> {
    const { names, types, traitSets, constants } = this.tables;
    const type = types.function([], types.void);
    const name = names.intern('abort');
    let id = this.tables.findFunction(name);
    if (id === undefined) {
      id = this.tables.addFunction(
        name,
        type,
        Linkage.extern,
        traitSets.intern([traitEntry(Trait.NoReturn)]),
      );
      this.ownAbort = id;
    }
    const isTaken =
      id === NONE ||
      this.tables.functionType(id) !== type ||
      this.tables.functionLinkage(id) !== Linkage.extern;
    if (isTaken) fail('VCT0317', { name: 'abort' }, callSite());
    return this.constant(constants.functionAddress(types.pointer(type), id)) as never;
  }

  /** The `abort` that the author has not declared, or NONE. */
  ownAbort = NONE as FunctionId;

  load(place: Place, options: AccessOptions): Expression {
    const address = this.placeAddress(place);
    const result = this.operation(Opcode.load, place.typeId, accessAux(options), [address]);
    this.#decorate(result.node, options);
    return result;
  }

  store(place: Place, value: Operand, options: AccessOptions): void {
    const operand = this.typed(value, place.typeId, 'store');
    const address = this.placeAddress(place);
    const result = this.operation(Opcode.store, this.tables.types.void, accessAux(options), [
      operand,
      address,
    ]);
    this.#decorate(result.node, options);
    this.place(result);
  }

  #decorate(node: Node, options: AccessOptions): void {
    if (options.name !== undefined) this.nameNode(node, options.name);
    const uses = options.align === undefined ? [] : [traits.Align(options.align)];
    if (options.traits !== undefined) uses.push(...(options.traits as typeof uses));
    if (uses.length > 0) this.addTraits(node, uses);
  }

  /** The index of a member by name or number. */
  memberIndex(type: TypeId, member: string | number): number {
    const { types, names } = this.tables;
    this.types.refresh();
    const kind = types.kind(type);
    if (kind !== TypeKind.struct && kind !== TypeKind.union)
      this.operandsFault('field', 'a struct or a union', type);
    const name = typeof member === 'string' ? names.find(member) : undefined;
    const index =
      typeof member === 'number' ? member : name === undefined ? -1 : types.memberIndex(type, name);
    if (!Number.isInteger(index) || index < 0 || index >= types.memberCount(type))
      fail('VCT0311', { type: typeText(this.tables, type), member: String(member) }, callSite());
    return index;
  }

  extract(value: Expression, path: readonly (string | number)[]): Expression {
    return this.operation(Opcode.extractvalue, NONE as TypeId, NONE, [
      value,
      ...this.#memberPath(value.typeId, path).steps,
    ]);
  }

  insert(value: Expression, path: readonly (string | number)[], member: Operand): Expression {
    const { steps, type } = this.#memberPath(value.typeId, path);
    const operands = [value, this.typed(member, type, 'insert'), ...steps];
    return this.operation(Opcode.insertvalue, value.typeId, NONE, operands);
  }

  #memberPath(
    type: TypeId,
    path: readonly (string | number)[],
  ): { readonly steps: Expression[]; readonly type: TypeId } {
    const { types } = this.tables;
    const steps: Expression[] = [];
    for (const member of path) {
      if (types.kind(type) === TypeKind.array && typeof member === 'number') {
        steps.push(this.integerConstant(types.i32, member));
        type = types.element(type);
      } else {
        const index = this.memberIndex(type, member);
        steps.push(this.integerConstant(types.i32, index));
        type = types.memberType(type, index);
      }
    }
    return { steps, type };
  }

  /** Calls a pointer to a function. A call without result is placed at once. */
  call(callee: Expression, given: readonly Operand[]): Expression {
    if (!(callee instanceof Expression)) wanted('call', 'a function or a pointer to one', callee);
    const { types } = this.tables;
    const signature = types.isPointer(callee.typeId) ? types.pointee(callee.typeId) : types.void;
    if (types.kind(signature) !== TypeKind.function)
      this.operandsFault('call', 'a function or a pointer to one', callee.typeId);
    const parameters = types.memberCount(signature);
    const operands = [callee];
    for (let index = 0; index < given.length; index++) {
      const argument = given[index] as Operand;
      if (index < parameters) {
        const where = `call of ${this.describe(callee)}, argument ${index + 1}`;
        operands.push(this.typed(argument, types.memberType(signature, index), where));
      } else operands.push(this.#promoted(argument, index));
    }
    const result = this.operation(Opcode.call, types.result(signature), signature, operands);
    if (result.typeId === types.void) this.place(result);
    else this.expectPlacement(result);
    return result;
  }

  /** An argument that stands in `...`, widened as C does. */
  #promoted(argument: Operand, index: number): Expression {
    const { types } = this.tables;
    const small = typeof argument === 'number' && Number.isInteger(argument);
    const literalType = typeof argument === 'number' ? (small ? types.i32 : types.f64) : types.i64;
    const value = this.expression(argument, literalType, `argument ${index + 1}`);
    if (types.isFloat(value.typeId)) return this.#convertTo(value, types.f64);
    if (types.isInteger(value.typeId) && types.width(value.typeId) < 32)
      return this.#convertTo(value, types.isSigned(value.typeId) ? types.i32 : types.u32);
    return value;
  }
}
