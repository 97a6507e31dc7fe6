import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { handbook } from './scripts/handbook/plugin.ts'

// Nothing here takes long; on a machine that is busy with something else all of it takes longer.
const patience = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
}

// Files named so, real parts of Kubernetes and fuzzing are for `npm test`; all else is in `npm run check`.
const slow = ['{src,scripts,test}/**/*.slow.test.ts', 'test/fuzz/**/*.test.ts']
const kube = ['test/kube/**/*.test.ts']
// What real parts do there is compared moment by moment: two at once would be slower, since what differs is played again.
const kubeAlone = [
  'compare',
  'controllers',
  'inspector/*',
  'integration',
  'kubectl-controllers',
].map((name) => `test/kube/${name}.test.ts`)

function onNode(name: string, include: string[], exclude: string[] = []) {
  return { ...patience, name, environment: 'node', include, exclude }
}

// Importing takes most of the time of small files, so their workers keep what they have imported.
const shared = { isolate: false }

export default defineConfig({
  test: {
    // Two on two cores, where one is the default: the suites with real servers mostly wait for them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...onNode(
            'fast',
            [
              'src/shared/**/*.test.ts',
              'src/main/**/*.test.ts',
              'scripts/**/*.test.ts',
              'test/**/*.test.ts',
            ],
            [...slow, ...kube],
          ),
          ...shared,
        },
      },
      {
        plugins: [handbook(resolve('docs/kubelet'))],
        test: {
          ...patience,
          ...shared,
          name: 'fast-renderer',
          setupFiles: ['src/renderer/testing-library-setup.ts'],
          environment: 'happy-dom',
          include: [
            'src/renderer/**/*.test.ts',
            'src/renderer/**/*.test.tsx',
            'src/preload/**/*.test.ts',
          ],
        },
      },
      { test: onNode('slow', slow) },
      { test: { ...onNode('kube-alone', kubeAlone), maxWorkers: 1, sequence: { groupOrder: 1 } } },
      { test: { ...onNode('kube', kube, kubeAlone), sequence: { groupOrder: 2 } } },
    ],
  },
})
