/** The standard streams of a program: output that is gathered in blocks, and input that is asked for when it is read. */

/** Takes output as it is flushed; the bytes are the receiver's own. */
export type OutputSink = (bytes: Uint8Array) => void;
/** All input, or a function that gives the next piece of it and nothing at its end. */
export type InputSource = Uint8Array | string | (() => Uint8Array | undefined);

const BLOCK_BYTES = 1 << 16;

/** An output stream: kept whole when nobody takes it. */
export class OutputStream {
  #block = new Uint8Array(1024);
  #used = 0;
  readonly #kept: Uint8Array[] = [];

  constructor(readonly sink: OutputSink | undefined) {}

  writeByte(byte: number): void {
    if (this.#used === this.#block.length) this.#makeRoom(1);
    this.#block[this.#used++] = byte;
  }

  write(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#block.length) this.#makeRoom(bytes.length);
    this.#block.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Hands what was gathered to the sink. */
  flush(): void {
    if (this.#used === 0) return;
    const bytes = this.#block.slice(0, this.#used);
    this.#used = 0;
    if (this.sink === undefined) this.#kept.push(bytes);
    else this.sink(bytes);
  }

  /** All that was written, when there is no sink. */
  content(): Uint8Array {
    this.flush();
    const whole = new Uint8Array(this.#kept.reduce((sum, block) => sum + block.length, 0));
    let at = 0;
    for (const block of this.#kept) {
      whole.set(block, at);
      at += block.length;
    }
    return whole;
  }

  #makeRoom(count: number): void {
    this.flush();
    if (this.#block.length < BLOCK_BYTES || this.#block.length < count)
      this.#block = new Uint8Array(Math.max(BLOCK_BYTES, count));
  }
}

/** An input stream. */
export class InputStream {
  #block: Uint8Array = new Uint8Array(0);
  #at = 0;
  #source: (() => Uint8Array | undefined) | undefined;

  constructor(source: InputSource = new Uint8Array(0)) {
    if (typeof source === 'function') this.#source = source;
    else this.#block = typeof source === 'string' ? new TextEncoder().encode(source) : source;
  }

  /** The next byte, or -1 at the end. */
  readByte(): number {
    while (this.#at >= this.#block.length) if (!this.#refill()) return -1;
    return this.#block[this.#at++] as number;
  }

  /** Up to `count` bytes, none at the end. */
  read(count: number): Uint8Array {
    while (this.#at >= this.#block.length) if (!this.#refill()) return new Uint8Array(0);
    const bytes = this.#block.subarray(this.#at, this.#at + count);
    this.#at += bytes.length;
    return bytes;
  }

  #refill(): boolean {
    const next = this.#source?.();
    if (next === undefined) {
      this.#source = undefined;
      return false;
    }
    this.#block = next;
    this.#at = 0;
    return true;
  }
}
