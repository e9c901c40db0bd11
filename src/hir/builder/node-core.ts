/**
 * What every expression of a module is made by: nodes, checked by the rules of their operation as they are made, so that an error
 * names the author's own line.
 */

import { fail } from '../../diag/diagnostic.js';
import { type ConstantId, type FunctionId, NONE, type Node, type TypeId } from '../../ir/entities.js';
import type { HirModule } from '../../ir/hir-module.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { NodeKind, nodeKindRow } from '../../ir/node-kinds.js';
import { Opcode, opcodeRow } from '../../ir/opcodes.js';
import { operationFault, operationResultType, typeText } from '../../ir/operation-rules.js';
import { ConstantKind, HIR_NODE } from '../../ir/schema.js';
import { LayoutTable } from '../../types/layout.js';
import { callSite } from './call-site.js';
import { constantOf, type LiteralValue } from './constant-literals.js';
import { EFFECTS, Expression, LeafExpression, type Operand, READS } from './expression.js';
import { wanted } from './given.js';
import type { NodeMaker } from './node-maker.js';
import { Place } from './place.js';
import { type TraitUse, traitSet } from './traits.js';
import { TypeBinder } from './type-binder.js';

/** Where statements go; the function that is being built. */
export interface StatementSink {
  /** Places an expression as a statement. */
  evaluate(expression: Expression): void;
  /** Remembers an expression that would be lost if it were never placed. */
  expectPlacement(expression: Expression): void;
  /** The position that new nodes get, or NONE. */
  readonly position: number;
}

/** The core of a node maker. */
export abstract class NodeCore {
  readonly tables: ModuleTables;
  readonly types: TypeBinder;
  readonly layout: LayoutTable;
  /** The function that is being built, if any. */
  sink: StatementSink | undefined;
  /** How many statements with effects were placed. */
  effectCount = 0;
  readonly #shape = new OperandShape();

  /** This maker with all its operations, as the expressions that it makes know it. */
  protected abstract readonly self: NodeMaker;

  constructor(
    readonly hir: HirModule,
    /** The file that positions are in where the author names none. */
    readonly sourceFile: string,
  ) {
    this.tables = hir.tables;
    this.types = new TypeBinder(hir.tables);
    this.layout = new LayoutTable(hir.tables.types);
  }

  /** Makes an operation on the operands, checked by the rules of the opcode. `type` NONE lets the rules decide. */
  operation(opcode: number, type: TypeId, aux: number, operands: readonly Expression[]): Expression {
    const shape = this.#shape;
    shape.set(opcode, aux, operands);
    shape.type = type;
    const problem = operationFault(this.tables, shape);
    if (problem !== undefined) this.#report(problem);
    if (type === NONE) type = operationResultType(this.tables, shape);
    return this.node(NodeKind.operation, type, opcode, aux, operands);
  }

  /** An expression from what may stand for one; `type` is that of a literal, NONE where a literal says too little. */
  expression(operand: Operand, type: TypeId, where = 'an operand'): Expression {
    if (operand instanceof Expression) return operand;
    if (operand instanceof Place) return operand.load();
    if (operand === undefined || typeof operand === 'function') wanted(where, 'a value', operand);
    if (type === NONE) fail('VCT0308', { where }, callSite());
    return this.constant(constantOf(this, type, operand as LiteralValue));
  }

  /** An expression of exactly that type. */
  typed(operand: Operand, type: TypeId, where: string): Expression {
    const result = this.expression(operand, type, where);
    if (result.typeId !== type) this.wrongType(where, type, result.typeId);
    return result;
  }

  constant(constant: ConstantId): LeafExpression {
    return new LeafExpression(this.self, this.tables.constants.type(constant), NodeKind.constant, constant);
  }

  integerConstant(type: TypeId, value: number): LeafExpression {
    return this.constant(this.tables.constants.integer(type, BigInt(value)));
  }

  /** Two operands of one type; whichever is an expression decides the type of the other. */
  pair(left: Operand, right: Operand): readonly [Expression, Expression] {
    const first =
      left instanceof Expression || left instanceof Place ? this.expression(left, NONE as TypeId) : undefined;
    if (first !== undefined) return [first, this.expression(right, first.typeId)];
    const second = this.expression(right, NONE as TypeId, 'both operands');
    return [this.expression(left, second.typeId), second];
  }

  /** An expression with effects would be lost if it were never placed: the function checks that at its end. */
  expectPlacement(expression: Expression): void {
    if ((expression.flags & EFFECTS) !== 0) this.sink?.expectPlacement(expression);
  }

  /** Places an expression as a statement of the function that is being built. */
  place(expression: Expression): void {
    if (this.sink === undefined) fail('VCT0312', { what: this.describe(expression) }, callSite());
    this.sink.evaluate(expression);
  }

  nameNode(node: Node, name: string): void {
    this.hir.nodes.set(node, HIR_NODE.name, this.tables.names.intern(name));
  }

  addTraits(node: Node, uses: readonly TraitUse[]): void {
    if (node === NONE) fail('VCT0304', { trait: 'trait', host: 'constant or variable' }, callSite());
    const { traitSets } = this.tables;
    const isCall = this.hir.a(node) === Opcode.call;
    const added = traitSet(
      this.tables,
      uses,
      isCall ? ['call', 'value', 'region'] : ['value', 'access', 'branch', 'region'],
    );
    const all = [...traitSets.list(this.hir.traits(node)), ...traitSets.list(added)];
    this.hir.nodes.set(node, HIR_NODE.traits, traitSets.intern(all));
  }

  /** How a message names an expression. */
  describe(expression: Expression): string {
    if (expression instanceof LeafExpression) return this.#describeLeaf(expression);
    const { hir } = this;
    const kind = hir.kind(expression.node);
    if (kind !== NodeKind.operation) return `this ${nodeKindRow(kind).name}`;
    const name = opcodeRow(hir.a(expression.node)).name;
    if (name !== 'call') return `this ${name}`;
    const callee = hir.firstChild(expression.node);
    const target =
      hir.kind(callee) === NodeKind.constant ? this.#functionName(hir.a(callee) as ConstantId) : undefined;
    return `the call of ${target ?? 'a pointer'}`;
  }

  #describeLeaf(expression: LeafExpression): string {
    if (expression.kind !== NodeKind.constant) return 'this variable';
    return this.#functionName(expression.row as ConstantId) ?? 'this constant';
  }

  /** `@name` when the constant is the address of a function. */
  #functionName(constant: ConstantId): string | undefined {
    const { constants } = this.tables;
    if (constants.kind(constant) !== ConstantKind.functionAddress) return undefined;
    return `@${this.tables.functionName(constants.addressee(constant) as FunctionId)}`;
  }

  wrongType(operation: string, wanted: TypeId, found: TypeId): never {
    const { tables } = this;
    fail(
      'VCT0300',
      { operation, expected: typeText(tables, wanted), found: typeText(tables, found) },
      callSite(),
    );
  }

  /** @internal */
  leafNode(leaf: LeafExpression): Node {
    const position = this.sink === undefined ? NONE : this.sink.position;
    return this.hir.addNode(leaf.kind, leaf.typeId, leaf.row, NONE, position);
  }

  /** Makes a node of its operands, which take their places now. */
  protected node(
    kind: number,
    type: TypeId,
    a: number,
    b: number,
    operands: readonly Expression[],
  ): Expression {
    const { hir } = this;
    let flags = 0;
    let born = this.effectCount;
    if (kind === NodeKind.operation) {
      const { effects } = opcodeRow(a);
      if (effects.writes || a === Opcode.fence) flags |= EFFECTS;
      if (effects.reads) flags |= READS;
    }
    let first = NONE as Node;
    let previous = NONE as Node;
    for (const operand of operands) {
      const depends = operand.flags & (READS | EFFECTS);
      flags |= depends;
      if (depends !== 0 && operand.born < born) born = operand.born;
      const child = operand.take();
      if (previous === NONE) first = child;
      else hir.nodes.set(previous, HIR_NODE.nextSibling, child);
      previous = child;
    }
    const position = this.sink === undefined ? NONE : this.sink.position;
    const node = hir.addNode(kind, type, a, b, position);
    hir.nodes.set(node, HIR_NODE.firstChild, first);
    return new Expression(this.self, type, node, flags, born);
  }

  #report(problem: { readonly operation: string; readonly expected: string; readonly found: string }): never {
    fail('VCT0300', { ...problem }, callSite());
  }

  /** @internal Reports a type that an operation does not take. */
  operandsFault(operation: string, expected: string, found: TypeId): never {
    fail('VCT0300', { operation, expected, found: typeText(this.tables, found) }, callSite());
  }
}

/** The operands of an operation that is about to be made, as the rules want to see them. */
class OperandShape {
  opcode = 0;
  type = NONE as TypeId;
  aux = NONE;
  #operands: readonly Expression[] = [];

  set(opcode: number, aux: number, operands: readonly Expression[]): void {
    this.opcode = opcode;
    this.aux = aux;
    this.#operands = operands;
  }

  get operandCount(): number {
    return this.#operands.length;
  }

  operandType(index: number): TypeId {
    return (this.#operands[index] as Expression).typeId;
  }

  operandConstant(index: number): ConstantId {
    return (this.#operands[index] as Expression).constant;
  }
}
