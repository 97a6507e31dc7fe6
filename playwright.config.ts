import { defineConfig } from 'playwright/test'
import type { HostOptions } from './e2e/fixtures.ts'

// Set by scripts/e2e.mjs, which finds the browser; without it Playwright's own is used.
const executablePath = process.env['E2E_CHROMIUM']
const libraries = process.env['E2E_CHROMIUM_LIBRARIES']
const isRoot = process.getuid?.() === 0

export default defineConfig<HostOptions>({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  // On a busy machine a journey can miss a moment; npm test names each test that passed only when it was run again.
  retries: process.env['CI'] === undefined ? 0 : 1,
  forbidOnly: process.env['CI'] !== undefined,
  // What is waited for does come, on a machine that is busy with something else only later: a journey
  // that takes 10 s alone has taken a minute there.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: '.tmp/e2e.json' }]],
  use: {
    viewport: { width: 1360, height: 860 },
    // Tracing doubles the time of a test.
    trace: process.env['CI'] === undefined ? 'retain-on-failure' : 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      // Chromium refuses to sandbox its processes for root.
      args: isRoot ? ['--no-sandbox'] : [],
      ...(libraries === undefined
        ? {}
        : { env: { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string> }),
    },
  },
  projects: [
    { name: 'web', use: { host: 'web' }, testIgnore: '**/*.electron.spec.ts' },
    { name: 'electron', use: { host: 'electron' }, testIgnore: '**/*.web.spec.ts' },
  ],
})
