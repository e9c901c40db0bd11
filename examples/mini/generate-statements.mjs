// @ts-check
/** Statements of the typed tree to the structured statements of libVCT. */

import { ExpressionGenerator, isConstant } from './generate-expressions.mjs';

/**
 * @typedef {import('./tree.mjs').TypedStatement} TypedStatement
 * @typedef {import('./tree.mjs').TypedExpression} TypedExpression
 * @typedef {import('./tree.mjs').FunctionSymbol} FunctionSymbol
 * @typedef {import('./generate.mjs').ModuleGenerator} ModuleGenerator
 */

/** @template {TypedStatement['kind']} Kind @typedef {Extract<TypedStatement, { kind: Kind }>} Of */

/** Builds the body of one function. @param {ModuleGenerator} program @param {FunctionSymbol} symbol */
export function generateFunction(program, symbol) {
  const reference = /** @type {import('libvct').FunctionReference} */ (program.functions.get(symbol));
  reference.define((f, ...parameters) => {
    const generator = new StatementGenerator(program, f);
    for (const [index, parameter] of symbol.parameters.entries()) {
      generator.variables.set(parameter, parameters[index]);
    }
    generator.statements(/** @type {Of<'block'>} */ (symbol.body).statements);
  });
}

class StatementGenerator extends ExpressionGenerator {
  /** @param {TypedStatement[]} list */
  statements(list) {
    for (const statement of list) this.statement(statement);
  }

  /** @param {TypedStatement} node */
  statement(node) {
    const { f } = this;
    this.at(node.at);
    switch (node.kind) {
      case 'block':
        return f.block(() => this.statements(node.statements));
      case 'declare':
        return this.#declare(node);
      case 'assign': {
        const value = this.value(node.value);
        const place = this.place(node.place);
        this.at(node.at);
        return place.set(value);
      }
      case 'update':
        return this.#update(node);
      case 'expression':
        return f.evaluate(this.value(node.value));
      case 'if': {
        const { then, otherwise } = node;
        const condition = this.condition(node.condition);
        this.at(node.at);
        return f.if(condition, () => this.#body(then), otherwise && (() => this.#body(otherwise)));
      }
      case 'while':
        return f.while(
          () => this.condition(node.condition),
          () => this.#body(node.body),
          labelled(node),
        );
      case 'doWhile':
        return f.doWhile(
          () => this.#body(node.body),
          () => this.condition(node.condition),
          labelled(node),
        );
      case 'for':
        return this.#for(node);
      case 'switch':
        return this.#switch(node);
      case 'break':
        return f.break(node.label);
      case 'continue':
        return f.continue(node.label);
      case 'return':
        return this.#return(node);
      case 'defer':
        return f.defer(() => this.#body(node.body));
    }
  }

  /** The statements of a block that is a scope already. @param {TypedStatement} node */
  #body(node) {
    if (node.kind === 'block') this.statements(node.statements);
    else this.statement(node);
  }

  /** @param {Of<'declare'>} node */
  #declare({ symbol, value, at }) {
    this.variables.set(symbol, this.#variable(symbol.name, value, at));
  }

  /** @param {Of<'return'>} node */
  #return({ value, at }) {
    if (value === undefined) return this.f.return();
    const result = isComputed(value) ? this.#variable('result', value, at) : this.value(value);
    this.at(at);
    return this.f.return(result);
  }

  /**
   * A new variable with its first value. An aggregate is written member by member, as one would by hand.
   * @param {string} name @param {TypedExpression} value @param {import('./errors.mjs').Place} at
   */
  #variable(name, value, at) {
    const type = this.program.types.of(value.type);
    const initial = isComputed(value)
      ? this.f.constant(type, this.program.literal(value))
      : this.value(value);
    this.at(at);
    const variable = this.f.variable(name, type, initial);
    if (isComputed(value)) this.#fill(variable, value);
    return variable;
  }

  /** @param {import('libvct').Place | import('libvct').Variable} place @param {Extract<TypedExpression, { kind: 'aggregate' }>} whole */
  #fill(place, whole) {
    for (const [index, value] of whole.members.entries()) {
      if (isConstant(value)) continue;
      const { type } = whole;
      const member = type.kind === 'struct' ? place.field(type.fields[index].name) : place.at(index);
      if (value.kind === 'aggregate') this.#fill(member, value);
      else member.set(this.value(value));
    }
  }

  /** `place operator= value`. @param {Of<'update'>} node */
  #update({ place: target, operator, value, at }) {
    // A place that the value cannot move is simply written twice; of any other, the address is kept.
    if (isFixed(target) || (isStable(target) && isStable(value))) {
      const changed = this.#changed(this.value(target), operator, value, at);
      const place = this.place(target);
      this.at(at);
      return place.set(changed);
    }
    const address = this.f.let('place', this.place(target).address());
    const changed = this.#changed(address.load(), operator, value, at);
    return address.deref().set(changed);
  }

  /**
   * @param {import('libvct').Expression} old @param {string} operator @param {TypedExpression} value
   * @param {import('./errors.mjs').Place} at
   */
  #changed(old, operator, value, at) {
    if (old.type.kind !== 'pointer') return this.binary(operator, old, value, at);
    const steps = this.value(value);
    this.at(at);
    return old.at(steps).address();
  }

  /** @param {Of<'for'>} node */
  #for(node) {
    const { first, condition, step, body } = node;
    this.f.for(
      {
        init: () => first && this.statement(first),
        condition: () => this.condition(condition),
        step: () => step && this.statement(step),
      },
      () => this.#body(body),
      labelled(node),
    );
  }

  /** @param {Of<'switch'>} node */
  #switch({ value, arms }) {
    this.f.switch(this.value(value), (cases) => {
      for (const { values, statements, fallsThrough, at } of arms) {
        const body = () => {
          for (const statement of statements) this.#body(statement);
        };
        this.at(at);
        const options = { fallthrough: fallsThrough };
        if (values) cases.case(values, body, options);
        else cases.default(body, options);
      }
    });
  }
}

/**
 * Whether the value is a list of members of which some are known only at run time.
 * @param {TypedExpression} node @returns {node is Extract<TypedExpression, { kind: 'aggregate' }>}
 */
const isComputed = (node) => node.kind === 'aggregate' && !isConstant(node);

/** @param {{ label: string | undefined }} node */
const labelled = ({ label }) => (label === undefined ? {} : { label });

/** Whether a place is in a variable, at an address that nothing changes. @param {TypedExpression} node */
function isFixed(node) {
  while (node.kind === 'field') node = node.base;
  return node.kind === 'variable';
}

/** Whether an expression calls nothing. @param {TypedExpression} node @returns {boolean} */
function isStable(node) {
  switch (node.kind) {
    case 'call':
      return false;
    case 'unary':
    case 'cast':
      return isStable(node.operand);
    case 'binary':
    case 'logical':
    case 'distance':
      return isStable(node.left) && isStable(node.right);
    case 'conditional':
      return isStable(node.condition) && isStable(node.then) && isStable(node.otherwise);
    case 'aggregate':
      return node.members.every(isStable);
    case 'address':
      return isStable(node.place);
    case 'deref':
      return isStable(node.pointer);
    case 'offset':
      return isStable(node.pointer) && isStable(node.index);
    case 'field':
      return isStable(node.base);
    case 'element':
      return isStable(node.base) && isStable(node.index);
    default:
      return true;
  }
}
