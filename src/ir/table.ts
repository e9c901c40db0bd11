/**
 * Growable Int32 tables over SharedArrayBuffer: the only storage of HIR and VIR (design: "The buffers").
 *
 * A table doubles when it is full, so that appending is linear in all. Growing replaces `data`: never keep the array
 * across an append. Another thread sees the rows that were there when it was handed the array.
 */

/** A table of fixed-length int32 rows. */
export class Table {
  /** The rows, one after the other; beyond `length * stride` its content has no meaning. */
  data: Int32Array<SharedArrayBuffer>;
  /** Rows in use. */
  length = 0;

  /** `stride` int32s a row, with room for `capacity` rows. */
  constructor(
    readonly stride: number,
    capacity = 16,
  ) {
    this.data = allocate(Math.max(1, capacity) * stride);
  }

  /** Appends a row filled with `fill` and returns its index. */
  append(fill = -1): number {
    const row = this.length;
    const start = row * this.stride;
    if (start + this.stride > this.data.length) this.reserve(row + 1);
    this.data.fill(fill, start, start + this.stride);
    this.length = row + 1;
    return row;
  }

  /** Appends one int32 to a table of stride 1 and returns its index. */
  push(value: number): number {
    const row = this.length;
    if (row >= this.data.length) this.reserve(row + 1);
    this.data[row] = value;
    this.length = row + 1;
    return row;
  }

  /** The value of a column of a row. */
  get(row: number, column: number): number {
    return this.data[row * this.stride + column] as number;
  }

  /** Writes a column of a row. */
  set(row: number, column: number, value: number): void {
    this.data[row * this.stride + column] = value;
  }

  /** Makes room for at least `rows` rows. */
  reserve(rows: number): void {
    if (rows * this.stride <= this.data.length) return;
    const grown = allocate(Math.max(rows, this.length * 2, 16) * this.stride);
    grown.set(this.data.subarray(0, this.length * this.stride));
    this.data = grown;
  }

  /** The rows in use, as a view that is valid until the next append. */
  view(): Int32Array<SharedArrayBuffer> {
    return this.data.subarray(0, this.length * this.stride);
  }

  /** Forgets all rows and keeps the memory. */
  clear(): void {
    this.length = 0;
  }
}

function allocate(words: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT));
}
