import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Nothing here takes long; on a machine that is busy with something else all of it takes longer.
const patience = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
}

export default defineConfig({
  test: {
    // Two on two cores, where one is the default: the suites with real servers mostly wait for them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          ...patience,
          name: 'node',
          environment: 'node',
          include: [
            'src/shared/**/*.test.ts',
            'src/main/**/*.test.ts',
            'scripts/**/*.test.ts',
            'test/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...patience,
          name: 'renderer',
          setupFiles: ['src/renderer/testing-library-setup.ts'],
          environment: 'happy-dom',
          include: [
            'src/renderer/**/*.test.ts',
            'src/renderer/**/*.test.tsx',
            'src/preload/**/*.test.ts',
          ],
        },
      },
    ],
  },
})
