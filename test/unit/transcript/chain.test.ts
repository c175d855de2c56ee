import assert from 'node:assert/strict';
import { liveChain, type ChainNode } from '../../../src/core/transcript/chain';

function node(id: string | undefined, parentId: string | null | undefined, more: Partial<ChainNode> = {}): ChainNode {
  return { id, parentId, isSidechain: false, canBeLeaf: true, line: 0, ...more };
}

const carrier = { canBeLeaf: false };
const side = { isSidechain: true };

describe('liveChain', () => {
  const table: readonly {
    readonly name: string;
    readonly nodes: readonly ChainNode[];
    readonly leaf?: string;
    readonly chain: readonly number[];
    readonly abandoned?: readonly number[];
    readonly codes?: readonly string[];
  }[] = [
    { name: 'nothing', nodes: [], chain: [] },
    { name: 'a line', nodes: [node('a', null), node('b', 'a'), node('c', 'b')], chain: [0, 1, 2] },
    {
      name: 'the later of two children',
      nodes: [node('a', null), node('b', 'a'), node('c', 'a')],
      chain: [0, 2],
      abandoned: [1],
    },
    { name: 'a named leaf', nodes: [node('a', null), node('b', 'a'), node('c', 'a')], leaf: 'b', chain: [0, 1], abandoned: [2] },
    { name: 'a named leaf that is missing', nodes: [node('a', null), node('b', 'a')], leaf: 'x', chain: [0, 1] },
    {
      name: 'a carrier that hangs at the end',
      nodes: [node('a', null), node('b', 'a'), node('p', 'a', carrier)],
      chain: [0, 1],
      abandoned: [2],
    },
    { name: 'a way through a carrier', nodes: [node('a', null), node('p', 'a', carrier), node('b', 'p')], chain: [0, 1, 2] },
    { name: 'a new root', nodes: [node('a', null), node('b', null)], chain: [1], abandoned: [0] },
    { name: 'records without ids', nodes: [node(undefined, undefined), node(undefined, undefined)], chain: [0, 1] },
    { name: 'a self-parent', nodes: [node('a', null), node('b', 'b'), node('c', 'b')], chain: [0, 1, 2], codes: ['cycle'] },
    { name: 'a missing parent', nodes: [node('a', null), node('b', 'x'), node('c', 'b')], chain: [0, 1, 2], codes: ['dangling_parent'] },
    {
      name: 'a result whose call is not in the file, beside another one',
      nodes: [
        node('a', null),
        node('d', 'c', { messageId: 'm', toolUseIds: ['blue'] }),
        node('r', 'c', { toolResultIds: ['red'] }),
        node('s', 'd', { toolResultIds: ['blue'] }),
        node('e', 's'),
      ],
      chain: [0, 1, 2, 3, 4],
      codes: ['dangling_parent', 'dangling_parent'],
    },
    {
      name: 'a missing parent behind a carrier, bridged to the conversation',
      nodes: [node('a', null), node('p', 'a', carrier), node('b', 'x')],
      chain: [0, 2],
      abandoned: [1],
      codes: ['dangling_parent'],
    },
    { name: 'a parent that stands later', nodes: [node('a', null), node('c', 'b'), node('b', 'a'), node('d', 'c')], chain: [0, 2, 1, 3] },
    {
      name: 'a loop of later parents',
      nodes: [node('z', null), node('a', 'b'), node('b', 'a')],
      chain: [0, 1, 2],
      codes: ['cycle'],
    },
    {
      name: 'a repeated id with another parent',
      nodes: [node('a', null), node('x', 'a'), node('b', 'x'), node('x', 'b')],
      chain: [0, 1, 2, 3],
      codes: ['dup_uuid'],
    },
    {
      name: 'a boundary that names what was before it',
      nodes: [node('a', null), node('b', 'a'), node('c', 'a'), node('B', null, { continues: { id: 'b' } }), node('s', 'B')],
      chain: [0, 1, 3, 4],
      abandoned: [2],
    },
    {
      name: 'a boundary that names nothing that is there',
      nodes: [node('a', null), node('b', 'a'), node('B', null, { continues: { id: 'x' } }), node('s', 'B')],
      chain: [0, 1, 2, 3],
    },
    { name: 'a boundary at the beginning', nodes: [node('B', null, { continues: { id: 'x' } }), node('s', 'B')], chain: [0, 1] },
    { name: 'side chains', nodes: [node('a', null), node('s', null, side), node('t', 's', side), node('b', 'a')], chain: [0, 3] },
    { name: 'a main record behind a side chain', nodes: [node('a', null), node('s', null, side), node('b', 's')], chain: [0, 2] },
    { name: 'a side chain as named leaf', nodes: [node('a', null), node('s', null, side)], leaf: 's', chain: [0] },
  ];
  for (const { name, nodes, leaf, chain, abandoned = [], codes = [] } of table) {
    it(`follows ${name}`, () => {
      const found = liveChain(nodes, leaf);
      assert.deepEqual(found.chain, chain);
      assert.deepEqual(found.abandoned, abandoned);
      assert.deepEqual(
        found.diagnostics.map((diagnostic) => diagnostic.code),
        codes,
      );
    });
  }

  it('adds the fragments and results of parallel calls, each in its place in the file', () => {
    const nodes = [
      node('u', null),
      node('a1', 'u', { messageId: 'm', toolUseIds: ['t1'] }),
      node('a2', 'a1', { messageId: 'm', toolUseIds: ['t2'] }),
      node('r1', 'a1', { toolResultIds: ['t1'] }),
      node('r2', 'a2', { toolResultIds: ['t2'] }),
      node('end', 'r2'),
    ];
    assert.deepEqual(liveChain(nodes).chain, [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(liveChain(nodes).abandoned, []);
  });

  it('adds a fragment whose branch the walk does not meet, and its result', () => {
    const nodes = [
      node('u', null),
      node('a1', 'u', { messageId: 'm', toolUseIds: ['t1'] }),
      node('a2', 'a1', { messageId: 'm', toolUseIds: ['t2'] }),
      node('r2', 'a2', { toolResultIds: ['t2'] }),
      node('r1', 'a1', { toolResultIds: ['t1'] }),
      node('end', 'r1'),
    ];
    assert.deepEqual(liveChain(nodes).chain, [0, 1, 2, 3, 4, 5]);
  });

  it('adds no second result of a call that is answered', () => {
    const nodes = [
      node('u', null),
      node('a', 'u', { messageId: 'm', toolUseIds: ['t'] }),
      node('old', 'a', { toolResultIds: ['t'] }),
      node('new', 'a', { toolResultIds: ['t'] }),
    ];
    assert.deepEqual(liveChain(nodes).chain, [0, 1, 3]);
  });

  it('counts a copy of a record once', () => {
    const nodes = [node('a', null), node('b', 'a'), node('b', 'a'), node('c', 'b')];
    const found = liveChain(nodes, undefined, () => true);
    assert.deepEqual([found.chain, [...found.copies], found.abandoned], [[0, 1, 3], [2], []]);
  });

  it('takes linear time for loops, ladders and gaps', function () {
    this.timeout(120_000);
    const count = 50_000;
    const shapes: readonly ((at: number) => ChainNode)[] = [
      (at) => node(`n${at}`, `n${at + 1}`),
      (at) => node(`n${at}`, `n${(at * 7919) % count}`),
      (at) => node(`n${at}`, `gone${at}`),
      (at) => node(`n${at % 10}`, `n${(at + 1) % 10}`),
      (at) => node(`n${at}`, at === 0 ? null : 'n0', { messageId: 'm', toolUseIds: [`t${at}`], toolResultIds: [`t${at - 1}`] }),
    ];
    const before = process.cpuUsage();
    for (const shape of shapes) {
      const { chain } = liveChain(Array.from({ length: count }, (_, at) => shape(at)));
      assert.equal(new Set(chain).size, chain.length);
    }
    const { user, system } = process.cpuUsage(before);
    assert.ok((user + system) / 1e6 < 10, `${(user + system) / 1e6} s`);
  });
});
