/** Counts the nodes of one document as kubectl's YAML parser does, and how many of them come from aliases. */
export class AliasCount {
  /** Nodes so far, including the document itself. */
  nodes = 1;
  /** Nodes so far that come from aliases. */
  aliased = 0;

  /** Adds nodes and returns whether the parser continues (`allowedAliasRatio` in decode.go of go.yaml.in/yaml/v2). */
  add(nodes: number, from: 'written' | 'aliased'): boolean {
    this.nodes += nodes;
    if (from === 'aliased') this.aliased += nodes;
    return this.aliased <= 100 || this.nodes <= 1000 || this.aliased / this.nodes <= allowedAliasRatio(this.nodes);
  }
}

const small = 400_000;
const large = 4_000_000;

/** The share of nodes that may come from aliases: 99 % up to the small size, falling to 10 % at the large one. */
function allowedAliasRatio(nodes: number): number {
  if (nodes <= small) return 0.99;
  return nodes >= large ? 0.1 : 0.99 - 0.89 * ((nodes - small) / (large - small));
}
