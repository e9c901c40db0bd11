/**
 * Scratch memory of the core's TypeScript twin: what `std::vector<int32_t>` is in C++.
 */

/** A growable list of int32s. `data` is replaced when the list grows: do not keep it across a push. */
export class Words {
  data = new Int32Array(64);
  length = 0;

  /** Appends one word and returns its index. */
  push(value: number): number {
    const index = this.length;
    if (index === this.data.length) this.reserve(index + 1);
    this.data[index] = value;
    this.length = index + 1;
    return index;
  }

  /** Makes room for `count` words at the end, which hold anything, and returns the index of the first. */
  extend(count: number): number {
    const index = this.length;
    if (index + count > this.data.length) this.reserve(index + count);
    this.length = index + count;
    return index;
  }

  /** Removes the last word and returns it. Requires a list that is not empty. */
  pop(): number {
    this.length--;
    return this.data[this.length] as number;
  }

  /** Makes the list `length` words long; new words hold `fill`. */
  resize(length: number, fill: number): void {
    if (length > this.data.length) this.reserve(length);
    if (length > this.length) this.data.fill(fill, this.length, length);
    this.length = length;
  }

  /** Makes room for `length` words. */
  reserve(length: number): void {
    if (length <= this.data.length) return;
    const grown = new Int32Array(Math.max(length, this.data.length * 2));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
  }
}
