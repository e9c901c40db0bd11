/** The verifier's rules on types in the tree: what each node has, and what each place wants (003/H-5, H-8). */

import type { DiagnosticCode } from '../diag/catalogue.js';
import type { DiagnosticArguments } from '../diag/diagnostic.js';
import { type ConstantId, type FunctionId, NONE, type Node, type TypeId } from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import { NodeKind, nodeKindRow } from '../ir/node-kinds.js';
import { Opcode } from '../ir/opcodes.js';
import { operationFault, typeText } from '../ir/operation-rules.js';
import { ConstantKind, HIR_VARIABLE } from '../ir/schema.js';
import { type CaseInterval, caseBounds, intervalText, overlappingCases } from './case-values.js';

/** Reports what is wrong with a node. */
export type ReportNode = (code: DiagnosticCode, values: DiagnosticArguments, node: Node) => void;

/** Checks the types of one node after the other. */
export class NodeTypes {
  readonly #shape: NodeShape;
  #result = NONE as TypeId;
  /** The ranges of the switches of the function so far. */
  readonly #ranges = new Set<Node>();

  constructor(
    readonly module: HirModule,
    readonly report: ReportNode,
  ) {
    this.#shape = new NodeShape(module);
  }

  /** What follows belongs to this function. */
  begin(id: FunctionId): void {
    const { tables } = this.module;
    this.#result = tables.types.result(tables.functionType(id));
    this.#ranges.clear();
  }

  /** The value that `declare` or `assign` writes. */
  checkWrite(node: Node): void {
    const { module } = this;
    const value = module.firstChild(node);
    if (value === NONE) return;
    this.#wants(value, module.variables.get(module.a(node), HIR_VARIABLE.type) as TypeId, node);
  }

  checkConstant(node: Node): void {
    const { constants } = this.module.tables;
    this.hasType(node, constants.type(this.module.a(node) as ConstantId));
    if (this.module.b(node) !== NONE && !this.#ranges.has(node)) this.report('VCT0343', {}, node);
  }

  checkOperation(node: Node): void {
    const { module } = this;
    this.#shape.look(node);
    const fault = operationFault(module.tables, this.#shape);
    if (fault !== undefined) this.report('VCT0300', { ...fault }, node);
    else if (module.a(node) === Opcode.call) this.#callee(node, module.firstChild(node));
  }

  /** A function that is called by its name is called with its own type, as in VIR. */
  #callee(node: Node, callee: Node): void {
    const { tables } = this.module;
    if (this.module.kind(callee) !== NodeKind.constant) return;
    const constant = this.module.a(callee) as ConstantId;
    if (tables.constants.kind(constant) !== ConstantKind.functionAddress) return;
    const id = tables.constants.addressee(constant) as FunctionId;
    const found = this.module.b(node) as TypeId;
    const expected = tables.functionType(id);
    if (found !== expected)
      this.report(
        'VCT0218',
        {
          function: tables.functionName(id),
          found: typeText(tables, found),
          expected: typeText(tables, expected),
        },
        node,
      );
  }

  /** The types of what stands in a statement or in a short-circuit expression. */
  checkParts(node: Node): void {
    const { module } = this;
    const { types } = module.tables;
    const first = module.firstChild(node);
    const second = first === NONE ? (NONE as Node) : module.nextSibling(first);
    switch (module.kind(node)) {
      case NodeKind.logicalAnd:
      case NodeKind.logicalOr:
        this.hasType(node, types.i1);
        this.#wants(first, types.i1, node);
        this.#wants(second, types.i1, node);
        return;
      case NodeKind.conditional: {
        this.#wants(first, types.i1, node);
        this.#wants(second, module.type(node), node);
        this.#wants(module.nextSibling(second), module.type(node), node);
        if (!types.isFirstClass(module.type(node))) this.#wants(second, NONE as TypeId, node);
        return;
      }
      case NodeKind.if:
      case NodeKind.while:
        this.#wants(first, types.i1, node);
        return;
      case NodeKind.doWhile:
      case NodeKind.for:
        this.#wants(second, types.i1, node);
        return;
      case NodeKind.switch:
        this.#switch(node, first);
        return;
      case NodeKind.return:
        this.#return(node, first);
        return;
      default:
    }
  }

  #return(node: Node, value: Node): void {
    const { types } = this.module.tables;
    const isVoid = this.#result === types.void;
    if (value === NONE && !isVoid)
      this.report('VCT0348', { type: typeText(this.module.tables, this.#result) }, node);
    else if (value !== NONE && isVoid)
      this.report('VCT0300', { operation: 'return', expected: 'no value', found: 'one' }, node);
    else if (value !== NONE) this.#wants(value, this.#result, node);
  }

  #switch(node: Node, value: Node): void {
    const { module } = this;
    const { types } = module.tables;
    const type = module.type(value);
    if (!types.isInteger(type))
      this.report(
        'VCT0300',
        { operation: 'switch', expected: 'an integer', found: typeText(module.tables, type) },
        node,
      );
    const cases = new SwitchCases();
    let defaults = 0;
    for (let arm = module.nextSibling(value); arm !== NONE; arm = module.nextSibling(arm)) {
      if (module.kind(arm) === NodeKind.default && ++defaults > 1)
        this.report('VCT0328', { what: 'the default', problem: 'the second of one switch' }, arm);
      if (module.kind(arm) === NodeKind.default) continue;
      for (
        let child = module.firstChild(arm);
        module.nextSibling(child) !== NONE;
        child = module.nextSibling(child)
      ) {
        this.#case(child, type, arm, cases);
      }
    }
    const overlap = cases.overlap();
    if (overlap === undefined) return;
    const [first, second] = overlap;
    // The one that stands later in the text is the one to blame.
    const [blamed, other] = first.owner > second.owner ? [first, second] : [second, first];
    this.report('VCT0341', { value: intervalText(blamed), other: intervalText(other) }, blamed.owner);
  }

  /** One value or range of a case. */
  #case(node: Node, type: TypeId, arm: Node, cases: SwitchCases): void {
    const { module } = this;
    const { constants } = module.tables;
    const bounds = caseBounds(module, node);
    const last = module.kind(node) === NodeKind.constant ? module.b(node) : NONE;
    if (last !== NONE) this.#ranges.add(node);
    if (bounds === undefined) {
      this.report('VCT0328', { what: 'a case', problem: 'no integer constant' }, node);
      return;
    }
    if (!this.#wants(node, type, arm)) return;
    const [low, high] = bounds;
    const lastType = last === NONE ? type : constants.type(last as ConstantId);
    if (lastType !== type) this.report('VCT0342', { value: high, type: typeText(module.tables, type) }, node);
    else if (low > high) this.report('VCT0340', { range: `${low}..${high}` }, node);
    else if (!cases.add(low, high, node)) this.report('VCT0322', { value: low }, node);
  }

  /** Reports a node whose own type column is wrong. */
  hasType(node: Node, wanted: TypeId): void {
    const { module } = this;
    if (module.type(node) === wanted) return;
    this.report(
      'VCT0300',
      {
        operation: nodeKindRow(module.kind(node)).name,
        expected: `the type ${typeText(module.tables, wanted)}`,
        found: typeText(module.tables, module.type(node)),
      },
      node,
    );
  }

  /** Reports an expression that has another type than its place wants. */
  #wants(node: Node, wanted: TypeId, place: Node): boolean {
    const { module } = this;
    if (module.type(node) === wanted) return true;
    this.report(
      'VCT0300',
      {
        operation: nodeKindRow(module.kind(place)).name,
        expected: wanted === NONE ? 'a value' : typeText(module.tables, wanted),
        found: typeText(module.tables, module.type(node)),
      },
      node,
    );
    return false;
  }
}

/** The values that the arms of one switch have so far. Linear while all are single values, which is the usual switch. */
class SwitchCases {
  readonly #values = new Map<bigint, Node>();
  readonly #ranges: CaseInterval<Node>[] = [];

  /** Says false for a single value that occurs again. */
  add(low: bigint, high: bigint, owner: Node): boolean {
    if (low !== high) this.#ranges.push({ low, high, owner });
    else if (this.#values.has(low)) return false;
    else this.#values.set(low, owner);
    return true;
  }

  /** Two that have a value in common, at least one of them a range. */
  overlap(): readonly [CaseInterval<Node>, CaseInterval<Node>] | undefined {
    if (this.#ranges.length === 0) return undefined;
    const values = [...this.#values].map(([value, owner]) => ({ low: value, high: value, owner }));
    return overlappingCases([...values, ...this.#ranges]);
  }
}

/** An operation node as the rules see it; looking at another one costs its children. */
class NodeShape {
  opcode = 0;
  type = NONE as TypeId;
  aux = NONE;
  readonly #operands: Node[] = [];

  constructor(readonly module: HirModule) {}

  look(node: Node): void {
    const { module } = this;
    this.opcode = module.a(node);
    this.type = module.type(node);
    this.aux = module.b(node);
    this.#operands.length = 0;
    for (let child = module.firstChild(node); child !== NONE; child = module.nextSibling(child))
      this.#operands.push(child);
  }

  get operandCount(): number {
    return this.#operands.length;
  }

  operandType(index: number): TypeId {
    return this.module.type(this.#operands[index] as Node);
  }

  operandConstant(index: number): ConstantId {
    const node = this.#operands[index] as Node;
    return (this.module.kind(node) === NodeKind.constant ? this.module.a(node) : NONE) as ConstantId;
  }
}
