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

function onNode(name: string, include: string[], exclude: string[] = []) {
  return { test: { ...patience, name, environment: 'node', include, exclude } }
}

export default defineConfig({
  test: {
    // Two on two cores, where one is the default: the suites with real servers mostly wait for them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      onNode(
        'fast',
        [
          'src/shared/**/*.test.ts',
          'src/main/**/*.test.ts',
          'scripts/**/*.test.ts',
          'test/**/*.test.ts',
        ],
        [...slow, ...kube],
      ),
      {
        plugins: [handbook(resolve('docs/kubelet'))],
        test: {
          ...patience,
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
      onNode('slow', slow),
      onNode('kube', kube),
    ],
  },
})
