// what of the vendored libraries the pages use
export function h(type: any, props: any, ...children: any[]): any;
export function render(what: any, into: Element): void;
export function useState<T>(first: T): [T, (value: T) => void];
export function useEffect(effect: () => void, inputs?: any[]): void;
export function useRef<T>(first: T): { current: T };
declare const htm: { bind(h: any): (texts: TemplateStringsArray, ...values: any[]) => any };
export default htm;
