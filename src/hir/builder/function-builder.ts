/** The statements of a function as closures: `f.while(c, () => …)` opens a construct, runs the closure and closes it. */

import { fail } from '../../diag/diagnostic.js';
import { type FunctionId, NONE, type TypeId } from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { callSite } from './call-site.js';
import {
  type CaseOptions,
  type CaseValue,
  type Condition,
  ConstructBuilder,
  type ConstructOptions,
  type ForClauses,
} from './construct-builder.js';
import type { Expression, LeafExpression, Operand } from './expression.js';
import type { Frame, FrameKind, PositionMode } from './function-body.js';
import { build } from './given.js';
import type { NodeMaker } from './node-maker.js';
import type { FunctionType, I1, PointerType, Type } from './types.js';
import type { Variable, VariableOptions } from './variable.js';

export {
  type CaseOptions,
  CaseRange,
  type CaseValue,
  type Condition,
  type ConstructOptions,
  type ForClauses,
  range,
} from './construct-builder.js';

/** The arms of a switch. */
export interface SwitchArms {
  /** Runs the body when the value is one of these. */
  case(values: CaseValue | readonly CaseValue[], body: () => void, options?: CaseOptions): void;
  /** Runs the body for every other value. */
  default(body: () => void, options?: CaseOptions): void;
}

const BREAKABLE: readonly FrameKind[] = ['while', 'doWhile', 'for', 'switch'];
const LOOPS: readonly FrameKind[] = ['while', 'doWhile', 'for'];

/** Builds the body of one function whose result is a `Result`. */
export class FunctionBuilder<Result extends Type = Type> extends ConstructBuilder {
  /** The function itself, for a call within its own body. */
  readonly self: LeafExpression<PointerType<FunctionType<readonly Type[], Result>>>;

  /** @internal */
  constructor(maker: NodeMaker, id: FunctionId, mode: PositionMode, self: LeafExpression) {
    super(maker, id, mode);
    this.self = self as typeof this.self;
  }

  /** Declares a variable, with its first value if there is one. */
  variable<T extends Type>(
    name: string,
    type: T,
    initial?: Operand<T>,
    options: VariableOptions = {},
  ): Variable<T> {
    const id = this.maker.types.id(type);
    const value = initial === undefined ? [] : [this.maker.typed(initial as Operand, id, `variable ${name}`)];
    return this.#declare(name, id, value, options);
  }

  /** Keeps a value in a new variable of its type, so that it is evaluated here and can be used many times. */
  let<T extends Type>(name: string, value: Expression<T>): Variable<T> {
    const kept = this.maker.expression(value, NONE as TypeId, `let ${name}`);
    return this.#declare(name, kept.typeId, [kept], {});
  }

  #declare<T extends Type>(
    name: string,
    type: TypeId,
    value: readonly Expression[],
    options: VariableOptions,
  ): Variable<T> {
    const variable = this.newVariable<T>(name, type, options, 'variable');
    variable.state.declaration = this.statement(NodeKind.declare, value, variable.row);
    return variable;
  }

  /** Leaves the function. */
  return(value?: Operand<Result>): void {
    this.#stayInDefer('return');
    const { tables } = this.maker;
    const wanted = tables.types.result(tables.functionType(this.id));
    const given = value as Operand | undefined;
    if (wanted === tables.types.void) {
      if (given !== undefined)
        fail('VCT0300', { operation: 'return', expected: 'no value', found: 'one' }, callSite());
      this.statement(NodeKind.return, []);
      return;
    }
    if (given === undefined) this.maker.wrongType('return', wanted, tables.types.void);
    this.statement(NodeKind.return, [this.maker.typed(given, wanted, 'return')]);
  }

  /** Control never comes here; erroneous when it does. */
  unreachable(): void {
    this.statement(NodeKind.unreachable, []);
  }

  /** Ends the program, as by `abort`, when the condition is true. */
  trapIf(condition: Operand<I1>): void {
    this.beginIf(condition);
    this.call(this.maker.abort());
    this.unreachable();
    this.end();
  }

  /** Leaves the innermost loop or switch, or the one with that label. */
  break(label?: string): void {
    this.#jump('break', BREAKABLE, label);
  }

  /** Goes to the next round of the innermost loop, or of the one with that label. */
  continue(label?: string): void {
    this.#jump('continue', LOOPS, label);
  }

  /**
   * Places a label that `goto` may go to from anywhere in the function. Its name is the only one of the kind in the function. A deferred
   * block holds none.
   */
  label(name: string): void {
    this.#stayInDefer('label', 'VCT0335');
    this.labels.place(name);
  }

  /**
   * Goes to the label of that name, which may still be to come. The defers of the scopes that control leaves run, as for `break`; the scope
   * of a defer cannot be entered (003/H-13). A variable whose declaration is jumped over keeps what it held, undef at first.
   */
  goto(name: string): void {
    this.#stayInDefer('goto', 'VCT0335');
    this.labels.goto(name);
  }

  /** Runs `then` when the condition is true, else `otherwise`. */
  if(condition: Operand<I1>, then: () => void, otherwise?: () => void, options: ConstructOptions = {}): void {
    this.beginIf(condition, options);
    build('if', then);
    if (otherwise !== undefined) {
      this.beginElse();
      build('else', otherwise);
    }
    this.end();
  }

  /** Runs the body as long as the condition is true. */
  while(condition: Condition, body: () => void, options: ConstructOptions = {}): void {
    this.beginWhile(condition, options);
    build('while', body);
    this.end();
  }

  /** Runs the body, then again as long as the condition is true. */
  doWhile(body: () => void, condition: Condition, options: ConstructOptions = {}): void {
    this.beginDoWhile(options);
    build('doWhile', body);
    this.endDoWhile(condition);
  }

  /** Init, then, as long as the condition is true, body and step. Variables of init live throughout. */
  for(clauses: ForClauses, body: () => void, options: ConstructOptions = {}): void {
    this.beginFor(clauses, options);
    build('for', body);
    this.end();
  }

  /** Runs the arm of the value: `f.switch(x, (s) => { s.case([1, range(5, 9)], () => …); s.default(() => …); })`. */
  switch(value: Operand, arms: (arms: SwitchArms) => void, options: ConstructOptions = {}): void {
    this.beginSwitch(value, options);
    const arm = (body: () => void) => {
      build('case', body);
      this.end();
    };
    build('switch', arms, {
      case: (values, body, caseOptions) => {
        this.beginCase(values, caseOptions);
        arm(body);
      },
      default: (body, caseOptions) => {
        this.beginDefault(caseOptions);
        arm(body);
      },
    });
    this.end();
  }

  /** Statements with a scope of their own: variables and defers end with it. */
  block(body: () => void, options: ConstructOptions = {}): void {
    this.beginBlock(options);
    build('block', body);
    this.end();
  }

  /** Runs the body at every exit of the enclosing block, last registered first; its values are read then. */
  defer(body: () => void): void {
    this.beginDefer();
    build('defer', body);
    this.end();
  }

  #jump(name: 'break' | 'continue', kinds: readonly FrameKind[], label: string | undefined): void {
    const { frames } = this;
    for (let index = frames.length - 1; index >= 0; index--) {
      const { kind, node, label: found } = frames[index] as Frame;
      if (kind === 'defer') fail('VCT0316', { statement: name }, callSite());
      if (!kinds.includes(kind) || (label !== undefined && found !== label)) continue;
      this.statement(NodeKind[name], [], label === undefined ? NONE : node);
      return;
    }
    const what = label ?? (name === 'break' ? 'loop or switch' : 'loop');
    fail('VCT0315', { what, statement: name }, callSite());
  }

  #stayInDefer(statement: string, code: 'VCT0316' | 'VCT0335' = 'VCT0316'): void {
    if (this.frames.some((open) => open.kind === 'defer')) fail(code, { statement }, callSite());
  }
}
