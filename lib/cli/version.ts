/** The package's version; the bundle replaces the constant at build time. */
declare const __VERSION__: string | undefined;
export const version: string = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0-source';
