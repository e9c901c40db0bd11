/** Prints the statement tree of one function. Recursion is bounded: `function-writer` cuts what nests too deep. */

import { NONE } from '../../ir/entities.js';
import type { SourcePosition } from '../../ir/module-tables.js';
import { stringLiteral } from './constants.js';
import {
  assignment,
  endsInJump,
  type IfStatement,
  type Statement,
  type SwitchStatement,
  type TextStatement,
  type WhileStatement,
} from './statements.js';

const INDENTATIONS = Array.from({ length: 100 }, (_, depth) => '    '.repeat(depth));

function indentation(depth: number): string {
  return INDENTATIONS[depth] ?? '    '.repeat(depth);
}

/** What the printer asks about names. */
export interface PrintedNames {
  variable(variable: number): string;
  /** `int32_t i`: a declaration without initializer. */
  declaration(variable: number): string;
  label(block: number): string;
  /** The source position to map lines to, or undefined when lines are not mapped. */
  position(position: number): SourcePosition | undefined;
}

/** Prints one function's statements. */
export class StatementPrinter {
  readonly #lines: string[] = [];
  /** Where the compiler believes the next line comes from. */
  #file = '';
  #line = 0;
  /** Whether a label waits for a statement: before a declaration or a brace C17 wants an empty one. */
  #hasOpenLabel = false;

  constructor(
    readonly names: PrintedNames,
    readonly targets: ReadonlySet<number>,
  ) {}

  /** The statements at the given depth of indentation. */
  print(list: readonly Statement[], depth: number): readonly string[] {
    this.#list(list, depth);
    this.#closeLabel(depth);
    return this.#lines;
  }

  #push(depth: number, text: string): void {
    if (!text.includes('\n')) {
      this.#lines.push(indentation(depth) + text);
      this.#line++;
      return;
    }
    for (const line of text.split('\n')) {
      this.#lines.push(line === '' ? '' : indentation(depth) + line);
      this.#line++;
    }
  }

  #closeLabel(depth: number): void {
    if (this.#hasOpenLabel) this.#push(depth, ';');
    this.#hasOpenLabel = false;
  }

  #map(position: number): void {
    const place = position === NONE ? undefined : this.names.position(position);
    if (place === undefined || (place.line === this.#line && place.file === this.#file)) return;
    this.#lines.push(`#line ${place.line} ${stringLiteral(new TextEncoder().encode(place.file))}`);
    this.#file = place.file;
    this.#line = place.line;
  }

  #list(list: readonly Statement[], depth: number): void {
    for (const statement of list) {
      switch (statement.kind) {
        case 'text':
          this.#text(statement, depth);
          break;
        case 'if':
          this.#if(statement, depth);
          break;
        case 'loop':
          this.#hasOpenLabel = false;
          this.#pragma(statement.pragma, depth);
          this.#push(depth, 'while (1) {');
          this.#list(statement.body, depth + 1);
          this.#closeLabel(depth + 1);
          this.#push(depth, '}');
          break;
        case 'while':
          this.#while(statement, depth);
          break;
        case 'switch':
          this.#switch(statement, depth);
          break;
        case 'label':
          if (!this.targets.has(statement.block)) break;
          this.#closeLabel(depth);
          this.#push(Math.max(0, depth - 1), `${this.names.label(statement.block)}:`);
          this.#hasOpenLabel = true;
          break;
        case 'goto':
          this.#hasOpenLabel = false;
          this.#push(depth, `goto ${this.names.label(statement.block)};`);
          break;
        default:
          this.#hasOpenLabel = false;
          this.#push(depth, `${statement.kind};`);
      }
    }
  }

  #pragma(text: string, depth: number): void {
    if (text !== '') this.#push(depth, text);
  }

  #while(statement: WhileStatement, depth: number): void {
    const { start, step, condition, isTestedLast } = statement;
    this.#pragma(statement.pragma, depth);
    if (!isTestedLast) this.#map(statement.position);
    this.#hasOpenLabel = false;
    if (isTestedLast) this.#push(depth, 'do {');
    else if (step === undefined) this.#push(depth, `while (${condition}) {`);
    else
      this.#push(
        depth,
        `for (${start === undefined ? '' : this.#start(start)}; ${condition}; ${this.#simple(step)}) {`,
      );
    this.#list(statement.body, depth + 1);
    this.#closeLabel(depth + 1);
    if (isTestedLast) this.#map(statement.position);
    this.#push(depth, isTestedLast ? `} while (${condition});` : '}');
  }

  #start(statement: TextStatement): string {
    if (!statement.isDeclaration) return this.#simple(statement);
    return `${this.names.declaration(statement.variable)} = ${statement.text}`;
  }

  #simple(statement: TextStatement): string {
    return assignment(this.names.variable(statement.variable), statement);
  }

  #text(statement: TextStatement, depth: number): void {
    const { variable, text } = statement;
    this.#map(statement.position);
    if (variable !== NONE && statement.isDeclaration) {
      this.#closeLabel(depth);
      this.#push(depth, `${this.names.declaration(variable)} = ${text};`);
      return;
    }
    this.#hasOpenLabel = false;
    this.#push(
      depth,
      variable === NONE ? `${text};` : `${assignment(this.names.variable(variable), statement)};`,
    );
  }

  #if(statement: IfStatement, depth: number): void {
    const { taken, otherwise, condition } = statement;
    this.#map(statement.position);
    this.#hasOpenLabel = false;
    this.#push(depth, `if (${condition.text}) {`);
    this.#list(taken, depth + 1);
    this.#closeLabel(depth + 1);
    const [only] = otherwise;
    if (otherwise.length === 1 && only?.kind === 'if') {
      this.#elseIf(only, depth);
      return;
    }
    if (otherwise.length > 0) {
      this.#push(depth, '} else {');
      this.#list(otherwise, depth + 1);
      this.#closeLabel(depth + 1);
    }
    this.#push(depth, '}');
  }

  /** `} else if (…) {`, on the line of the brace; where lines are mapped the test keeps its own. */
  #elseIf(statement: IfStatement, depth: number): void {
    const place = this.names.position(statement.position);
    if (place !== undefined) {
      this.#push(depth, '} else {');
      this.#if(statement, depth + 1);
      this.#push(depth, '}');
      return;
    }
    this.#lines.push(
      `${indentation(depth)}} else ${this.#captured(() => this.#if(statement, depth)).trimStart()}`,
    );
  }

  /** What `write` prints, taken out of the lines again. */
  #captured(write: () => void): string {
    const from = this.#lines.length;
    write();
    return this.#lines.splice(from).join('\n');
  }

  #switch(statement: SwitchStatement, depth: number): void {
    this.#map(statement.position);
    this.#hasOpenLabel = false;
    this.#push(depth, `switch (${statement.value}) {`);
    for (const arm of statement.arms) {
      if (arm.labels[0] === 'default' && isEmpty(arm.body, this.targets) && !statement.isConstant) continue;
      const hasDeclaration = arm.body.some((inner) => inner.kind === 'text' && inner.isDeclaration);
      arm.labels.forEach((label, index) => {
        const isLast = index === arm.labels.length - 1;
        this.#push(depth, `${label}:${isLast && hasDeclaration ? ' {' : ''}`);
      });
      this.#list(arm.body, depth + 1);
      this.#closeLabel(depth + 1);
      if (!endsInJump(arm.body)) this.#push(depth + 1, 'break;');
      if (hasDeclaration) this.#push(depth, '}');
    }
    this.#push(depth, '}');
  }
}

/** Whether a list prints nothing. */
function isEmpty(list: readonly Statement[], targets: ReadonlySet<number>): boolean {
  return list.every((statement) => statement.kind === 'label' && !targets.has(statement.block));
}
