/**
 * Writes a HIR module as `.hir` text (grammar: spec/003-hir.md §4). Reading the text back and writing it again gives the same
 * bytes. A work list stands in for recursion: trees may be a million deep.
 */

import {
  type ConstantId,
  type FunctionId,
  NONE,
  type Node,
  type TypeId,
  type Variable,
} from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import { NodeKind } from '../ir/node-kinds.js';
import { FUNCTION, HIR_NODE, HIR_VARIABLE } from '../ir/schema.js';
import { ModulePrinter } from '../ir/text/module-printer.js';
import { relationshipLines } from '../ir/text/relationship-text.js';
import { uniqueTexts } from '../ir/text/unique-texts.js';
import { quotedName } from '../types/type-table.js';
import { runLength } from './case-values.js';
import {
  expressionText,
  type FunctionTexts,
  nodeAnnotations,
  positionText,
  rangeText,
  traitsOfNode,
  variableText,
} from './expression-printer.js';
import { isBreakable, MAXIMUM_INDENT, type PlaceType } from './text-forms.js';
import { assertReadableHir } from './verify-tables.js';

/** The module as text. Throws a DiagnosticError when its tables are malformed; a module that breaks other rules is written as it is. */
export function printHir(module: HirModule): string {
  assertReadableHir(module);
  const printer = new ModulePrinter(module.tables);
  const lines: string[] = [];
  let wasDeclaration = false;
  for (let id = 0; id < module.functionCount; id++) {
    const isDeclaration = module.body(id as FunctionId) === NONE;
    // A blank line before each body and before each run of declarations.
    if (!isDeclaration || !wasDeclaration) lines.push('');
    new FunctionPrinter(module, printer, id as FunctionId, lines).print();
    wasDeclaration = isDeclaration;
  }
  if (module.relationships.length > 0) lines.push('', ...relationshipTexts(printer, module));
  return `${printer.head()}${lines.map((line) => `${line}\n`).join('')}`;
}

/** The relationships; the names of the variables are made once more for each function that has some. */
function relationshipTexts(printer: ModulePrinter, module: HirModule): string[] {
  const texts = new Map<FunctionId, readonly string[]>();
  return relationshipLines(printer, module.relationships, (owner, row) => {
    const known = texts.get(owner) ?? variableTexts(module, owner);
    texts.set(owner, known);
    return known[row - module.firstVariable(owner)] as string;
  });
}

/** The names of a function's variables, each of them once. */
function variableTexts(hir: HirModule, id: FunctionId): readonly string[] {
  const first = hir.firstVariable(id);
  const names: string[] = [];
  for (let index = 0; index < hir.variableCount(id); index++)
    names.push(hir.tables.names.text(hir.variables.get(first + index, HIR_VARIABLE.name)));
  return uniqueTexts(names);
}

/** What is still to be written: a chain of statements or arms, a line, or the end of a loop or switch. */
type Work =
  | { readonly kind: 'statements'; readonly node: Node; readonly depth: number }
  | { readonly kind: 'leave'; readonly node: Node; readonly depth: number }
  | { readonly kind: 'line'; readonly text: string; readonly depth: number }
  | { readonly kind: 'arms'; readonly node: Node; readonly depth: number; readonly type: PlaceType };

class FunctionPrinter {
  readonly #texts: FunctionTexts;
  readonly #work: Work[] = [];
  readonly #result: TypeId;

  constructor(
    readonly hir: HirModule,
    readonly printer: ModulePrinter,
    readonly id: FunctionId,
    readonly lines: string[],
  ) {
    const variables = variableTexts(hir, id);
    this.#texts = { hir, printer, variables, firstVariable: hir.firstVariable(id) };
    this.#result = hir.tables.types.result(hir.tables.functionType(id));
  }

  print(): void {
    const { hir, id, printer } = this;
    const body = hir.body(id);
    const parameters: string[] = [];
    for (let index = 0; index < hir.parameterCount(id); index++) {
      const variable = hir.firstVariable(id) + index;
      const tail = this.#variableTail(variable);
      parameters.push(`${variableText(this.#texts, variable)}: ${this.#variableType(variable)}${tail}`);
    }
    const isNamed = body !== NONE || parameters.length > 0;
    const head = printer.signature(
      id,
      isNamed ? parameters : undefined,
      body !== NONE,
      hir.epochs.isStale('function', id),
    );
    if (body === NONE) {
      this.lines.push(head);
      return;
    }
    const position = hir.tables.functions.get(id, FUNCTION.position);
    this.lines.push(`${head} {${nodeAnnotations(this.#texts, body, position)}`);
    this.#printUndeclared();
    this.#work.push(this.#line('}', 0), { kind: 'statements', node: hir.firstChild(body), depth: 1 });
    while (this.#work.length > 0) this.#step(this.#work.pop() as Work);
  }

  /** Variables that no statement declares are listed first, or their rows would be lost. */
  #printUndeclared(): void {
    const { hir, id } = this;
    const first = hir.firstVariable(id);
    for (let index = hir.parameterCount(id); index < hir.variableCount(id); index++) {
      const variable = first + index;
      if (hir.variables.get(variable, HIR_VARIABLE.declaration) !== NONE) continue;
      const tail = this.#variableTail(variable);
      this.lines.push(
        `  local ${variableText(this.#texts, variable)}: ${this.#variableType(variable)}${tail}`,
      );
    }
  }

  #step(work: Work): void {
    if (work.kind === 'line') {
      this.lines.push(`${'  '.repeat(Math.min(work.depth, MAXIMUM_INDENT))}${work.text}`);
      return;
    }
    if (work.kind === 'leave') {
      this.#leave(work.node);
      return;
    }
    if (work.node === NONE) return;
    const next = this.hir.nextSibling(work.node);
    this.#work.push({ ...work, node: next });
    if (work.kind === 'arms') this.#arm(work.node, work.depth, work.type);
    else this.#statement(work.node, work.depth, '');
  }

  /** Puts a statement on the work list; `before` is what stands before it on its line. */
  #statement(node: Node, depth: number, before: string): void {
    const { hir } = this;
    const children = hir.children(node);
    const [first = NONE as Node, second = NONE as Node, third = NONE as Node] = children;
    const head = before + this.#label(node);
    if (isBreakable(hir.kind(node))) this.#work.push(this.#enter(node));
    switch (hir.kind(node)) {
      case NodeKind.block:
        this.#work.push(this.#line('}', depth), { kind: 'statements', node: first, depth: depth + 1 });
        this.#work.push(this.#line(`${head}{${this.#tail(node)}`, depth));
        return;
      case NodeKind.if:
        if (children.length > 2)
          this.#open(`} else {${this.#blockTail(third, node)}`, [this.#line('}', depth)], third, depth);
        else this.#work.push(this.#line('}', depth));
        this.#open(`${head}if ${this.#test(first, node)}${this.#construct(second, node)}`, [], second, depth);
        return;
      case NodeKind.while:
        this.#open(
          `${head}while ${this.#test(first, node)}${this.#construct(second, node)}`,
          [this.#line('}', depth)],
          second,
          depth,
        );
        return;
      case NodeKind.doWhile:
        this.#open(
          `${head}do${this.#construct(first, node)}`,
          [this.#line(`} while ${this.#test(second, node)}`, depth)],
          first,
          depth,
        );
        return;
      case NodeKind.for:
        this.#for(node, head, depth);
        return;
      case NodeKind.switch: {
        const value = expressionText(this.#texts, first, NONE, this.#position(node));
        const type = hir.type(first);
        this.#work.push(this.#line('}', depth));
        this.#work.push({ kind: 'arms', node: second, depth, type });
        this.#work.push(this.#line(`${head}switch (${value})${this.#tail(node)} {`, depth));
        return;
      }
      case NodeKind.defer:
        this.#defer(node, first, head, depth);
        return;
      default:
        this.#work.push(this.#line(head + this.#simple(node, first), depth));
    }
  }

  /** A block as the body of a construct: its head line, its statements, and what follows. */
  #open(head: string, after: readonly Work[], block: Node, depth: number): void {
    this.#work.push(...after, { kind: 'statements', node: this.hir.firstChild(block), depth: depth + 1 });
    this.#work.push(this.#line(head, depth));
  }

  #for(node: Node, head: string, depth: number): void {
    const [init, condition, step, body] = this.hir.children(node) as [Node, Node, Node, Node];
    const close = [this.#line('}', depth)];
    this.#open(`} do {${this.#blockTail(body, node)}`, close, body, depth);
    const test = this.#test(condition, node);
    this.#open(`} while ${test} step {${this.#blockTail(step, node)}`, [], step, depth);
    this.#open(`${head}for${this.#construct(init, node)}`, [], init, depth);
  }

  /** The child of a defer stands on the same line. */
  #defer(node: Node, child: Node, head: string, depth: number): void {
    const before = `${head}defer${this.#tail(node)}`;
    if (this.hir.kind(child) === NodeKind.block && this.hir.nodes.get(child, HIR_NODE.name) === NONE)
      this.#open(`${before} {${this.#blockTail(child, node)}`, [this.#line('}', depth)], child, depth);
    else this.#statement(child, depth, `${before} `);
  }

  #arm(node: Node, depth: number, type: PlaceType): void {
    const { hir } = this;
    const children = hir.children(node);
    const body = children.pop() as Node;
    const values = hir.kind(node) === NodeKind.case ? this.#caseValues(children, type, node) : '';
    const word = hir.kind(node) === NodeKind.case ? `case ${values}` : 'default';
    const fallthrough = hir.a(node) === 1 ? ' fallthrough' : '';
    const tail = `${this.#lateTail(node)} {${this.#blockTail(body, node)}`;
    this.#open(`${word}${fallthrough}${tail}`, [this.#line('}', depth)], body, depth);
  }

  /** The values of a case; three or more consecutive ones are written as a range. */
  #caseValues(nodes: readonly Node[], type: PlaceType, arm: Node): string {
    const { hir } = this;
    const parts: string[] = [];
    for (let index = 0; index < nodes.length; ) {
      const length = runLength(hir, nodes, index);
      const node = nodes[index] as Node;
      const isRun = length > 2;
      const last = (isRun ? hir.a(nodes[index + length - 1] as Node) : hir.b(node)) as ConstantId;
      const isRange = isRun || (hir.kind(node) === NodeKind.constant && last !== NONE);
      const text = isRange
        ? rangeText(this.#texts, node, last, type as TypeId, this.#position(arm))
        : this.#finalExpression(node, type, arm);
      parts.push(text);
      index += isRun ? length : 1;
    }
    return parts.join(', ');
  }

  /** A statement of one line. */
  #simple(node: Node, child: Node): string {
    const { hir } = this;
    const value = (place: PlaceType) => this.#finalExpression(child, place, node);
    const target = variableText(this.#texts, hir.a(node));
    switch (hir.kind(node)) {
      case NodeKind.declare:
        return `${this.#declaration(node)}${child === NONE ? '' : ` = ${value(this.#variableTypeId(hir.a(node)))}`}${this.#lateTail(node)}`;
      case NodeKind.assign:
        return `${target} = ${value(this.#variableTypeId(hir.a(node)))}${this.#lateTail(node)}`;
      case NodeKind.return:
        return `return${child === NONE ? '' : ` ${value(this.#result)}`}${this.#lateTail(node)}`;
      case NodeKind.break:
        return `break${this.#target(node)}${this.#tail(node)}`;
      case NodeKind.continue:
        return `continue${this.#target(node)}${this.#tail(node)}`;
      case NodeKind.unreachable:
        return `unreachable${this.#tail(node)}`;
      case NodeKind.label:
        return `label ${this.#labelName(node)}${this.#tail(node)}`;
      case NodeKind.goto:
        return `goto ${this.#labelName(hir.a(node))}${this.#tail(node)}`;
      default:
        return expressionText(this.#texts, node, NONE, NONE);
    }
  }

  #declaration(node: Node): string {
    const variable = this.hir.a(node);
    const position = positionText(this.#texts, this.#variablePosition(variable), this.#position(node));
    const place = position === '' ? '' : ` at${position}`;
    const traits = this.#traits(variable);
    return `var ${variableText(this.#texts, variable)}: ${this.#variableType(variable)}${traits}${place}`;
  }

  /** The last expression of a line: in parentheses where it has a position of its own, as the one behind it is the statement's. */
  #finalExpression(child: Node, place: PlaceType, node: Node): string {
    const text = expressionText(this.#texts, child, place, this.#position(node));
    const own = positionText(this.#texts, this.#position(child), this.#position(node));
    return own === '' ? text : `(${text})`;
  }

  /** Traits and position of a statement that ends in an expression, whose own traits may stand right before. */
  #lateTail(node: Node): string {
    const traits = traitsOfNode(this.#texts, node);
    return `${traits === '' ? '' : ` with${traits}`}${this.printer.position(this.#position(node))}`;
  }

  #test(condition: Node, node: Node): string {
    return `(${expressionText(this.#texts, condition, this.hir.tables.types.i1, this.#position(node))})`;
  }

  /** What follows the head of a construct: its annotations, the brace, and those of its block. */
  #construct(block: Node, node: Node): string {
    return `${this.#tail(node)} {${this.#blockTail(block, node)}`;
  }

  #blockTail(block: Node, node: Node): string {
    return nodeAnnotations(this.#texts, block, this.#position(node));
  }

  /** Traits and position of a statement; its name is its label. */
  #tail(node: Node): string {
    return traitsOfNode(this.#texts, node) + this.printer.position(this.#position(node));
  }

  /** What a label is called; labels of one name in a function are refused, so that is enough. */
  #labelName(node: number): string {
    const name = node === NONE ? NONE : this.hir.nodes.get(node, HIR_NODE.name);
    return name === NONE ? '""' : quotedName(this.hir.tables.names.text(name));
  }

  #label(node: Node): string {
    const name = this.hir.nodes.get(node, HIR_NODE.name);
    if (this.hir.kind(node) === NodeKind.label) return '';
    if (name === NONE || this.hir.kind(node) <= NodeKind.conditional) return '';
    return `${quotedName(this.hir.tables.names.text(name))}: `;
  }

  /** ` name` of the construct that a jump leaves, or ` ^n` where the name means another one: n constructs outward. */
  #target(node: Node): string {
    const target = this.hir.a(node) as Node;
    if (target === NONE) return '';
    const name = this.hir.nodes.get(target, HIR_NODE.name);
    if (name !== NONE && this.#named.get(name)?.at(-1) === target)
      return ` ${quotedName(this.hir.tables.names.text(name))}`;
    return ` ^${this.#depth - (this.#depths.get(target) ?? this.#depth)}`;
  }

  /** Loops and switches around the place that is written: how deep each is, and those of each name, innermost last. */
  readonly #depths = new Map<Node, number>();
  readonly #named = new Map<number, Node[]>();
  #depth = -1;

  #enter(node: Node): Work {
    this.#depth++;
    this.#depths.set(node, this.#depth);
    const name = this.hir.nodes.get(node, HIR_NODE.name);
    if (name !== NONE) {
      const named = this.#named.get(name);
      if (named === undefined) this.#named.set(name, [node]);
      else named.push(node);
    }
    return { kind: 'leave', node, depth: 0 };
  }

  #leave(node: Node): void {
    this.#depth--;
    this.#depths.delete(node);
    this.#named.get(this.hir.nodes.get(node, HIR_NODE.name))?.pop();
  }

  #position(node: Node): number {
    return this.hir.nodes.get(node, HIR_NODE.position);
  }

  #traits(variable: number): string {
    const { epochs } = this.hir;
    const row = variable as Variable;
    return this.printer.traits(epochs.stated('variable', row), epochs.isStale('variable', row));
  }

  #variableTail(variable: number): string {
    return this.#traits(variable) + this.printer.position(this.#variablePosition(variable));
  }

  #variablePosition(variable: number): number {
    return this.hir.variables.get(variable, HIR_VARIABLE.position);
  }

  #variableTypeId(variable: number): TypeId {
    return this.hir.variables.get(variable, HIR_VARIABLE.type) as TypeId;
  }

  #variableType(variable: number): string {
    return this.printer.type(this.#variableTypeId(variable));
  }

  #line(text: string, depth: number): Work {
    return { kind: 'line', text, depth };
  }
}
