/** The module that `wasm-bindgen` makes of `web/lib.rs`, which describes its methods. */
export class Engine {
    receive(line: string): string[];
    step(): string[];
    is_idle(): boolean;
    lacking(): string[];
    give(file: string, bytes: Uint8Array): boolean;
    do_without(file: string): string[];
}
export default function init(from: { module_or_path: string }): Promise<unknown>;
