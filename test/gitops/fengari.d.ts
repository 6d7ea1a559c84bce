declare module 'fengari' {
  type State = object;
  export const lauxlib: { luaL_newstate(): State; luaL_dostring(state: State, program: Uint8Array): boolean };
  export const lualib: { luaL_openlibs(state: State): void };
  export const lua: { lua_tostring(state: State, index: number): Uint8Array };
  export function to_luastring(text: string): Uint8Array;
  export function to_jsstring(text: Uint8Array): string;
}
