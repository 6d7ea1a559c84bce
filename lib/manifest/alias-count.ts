/** Counts the nodes that kubectl's parser reads of one document, and those of them that aliases repeat. */
export class AliasCount {
  /** All nodes read so far; the document is one itself. */
  nodes = 1;
  /** Those that were read for an alias. */
  aliased = 0;

  /** Adds nodes, and tells whether the parser (decode.go of go.yaml.in/yaml/v2) goes on after them. */
  add(nodes: number, from: 'written' | 'aliased'): boolean {
    this.nodes += nodes;
    if (from === 'aliased') this.aliased += nodes;
    return this.aliased <= 100 || this.nodes <= 1000 || this.aliased / this.nodes <= allowedShare(this.nodes);
  }
}

const small = 400_000;
const large = 4_000_000;

/** The share of nodes that may come from aliases: 99 % of a small document, falling to 10 % of a large one. */
function allowedShare(nodes: number): number {
  if (nodes <= small) return 0.99;
  return nodes >= large ? 0.1 : 0.99 - 0.89 * ((nodes - small) / (large - small));
}
