import type { ManifestCase } from './manifest-case.ts'

/** A pod with one container. `spec` and `container` are more lines of theirs. */
function pod(name: string, container: string, spec = ''): string {
  const more = (text: string, indent: string): string =>
    text
      .trim()
      .split('\n')
      .map((line) => (line === '' ? '' : `\n${indent}${line}`))
      .join('')
  return `
apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:${more(spec, '  ')}
  containers:
    - name: main${more(container, '      ')}
`
}

const sleeper = `image: busybox:1.36
command: [sh, -c, 'trap "exit 0" TERM; sleep 3600']`

const settings = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { color: blue, mode: fast, page.html: '<p>page</p>' }
`

const login = `
apiVersion: v1
kind: Secret
metadata: { name: login }
stringData: { user: ada, password: lovelace }
`

const documents = (...all: readonly string[]): string => all.join('---')

const scripts = `
apiVersion: v1
kind: ConfigMap
metadata: { name: scripts }
data:
  run.sh: |
    #!/bin/sh
    echo $1
    exit 4
`

export const manifestCases: readonly ManifestCase[] = [
  // Pods
  {
    name: 'web-server',
    about: 'a web server',
    yaml: pod('web-server', 'image: nginx:1.28\nports: [{ containerPort: 80 }]'),
    seconds: 60,
    outcome: '1/1 Running 0',
  },
  {
    name: 'one-job',
    about: 'a command that ends with 0',
    yaml: pod(
      'one-job',
      `image: busybox:1.36\ncommand: [sh, -c, 'echo done; sleep 5']`,
      'restartPolicy: Never',
    ),
    seconds: 60,
    outcome: '0/1 Completed 0',
    log: ['done'],
  },
  {
    name: 'failing-job',
    about: 'a command that fails, with restartPolicy Never',
    yaml: pod(
      'failing-job',
      `image: busybox:1.36\ncommand: [sh, -c, 'echo broken >&2; exit 3']`,
      'restartPolicy: Never',
    ),
    seconds: 60,
    outcome: '0/1 Error 0',
    log: ['broken'],
    terminationReason: 'Error',
  },
  {
    name: 'crash-loop',
    about: 'a command that fails again and again',
    yaml: pod('crash-loop', `image: busybox:1.36\ncommand: [sh, -c, 'exit 1']`),
    seconds: 70,
    outcome: '0/1 CrashLoopBackOff 3',
    warnings: ['BackOff'],
  },
  {
    name: 'arguments',
    about: 'arguments with variables',
    yaml: pod(
      'arguments',
      `image: busybox:1.36
env: [{ name: MESSAGE, value: hello world }, { name: TWICE, value: '$(MESSAGE) $(MESSAGE)' }]
command: [/bin/echo]
args: ['$(TWICE)', '$(MISSING)', '$$(MESSAGE)']`,
      'restartPolicy: OnFailure',
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['hello world hello world $(MISSING) $(MESSAGE)'],
  },
  {
    name: 'no-such-command',
    about: 'a command that does not exist',
    yaml: pod(
      'no-such-command',
      'image: busybox:1.36\ncommand: [/no/such/program]',
      'restartPolicy: Never',
    ),
    seconds: 30,
    outcome: '0/1 StartError 0',
    warnings: ['Failed'],
    terminationReason: 'StartError',
  },
  {
    name: 'no-bash',
    about: 'a script for bash in an image without bash',
    yaml: pod(
      'no-bash',
      "image: busybox:1.36\ncommand: [bash, -c, 'echo hello']",
      'restartPolicy: OnFailure',
    ),
    seconds: 30,
    outcome: '0/1 RunContainerError 2',
    warnings: ['BackOff', 'Failed'],
    terminationReason: 'StartError',
  },
  {
    name: 'no-command',
    about: 'an image whose shell has nothing to read',
    yaml: pod('no-command', 'image: busybox:1.36'),
    seconds: 40,
    outcome: '0/1 CrashLoopBackOff 2',
    warnings: ['BackOff'],
    terminationReason: 'Completed',
  },
  {
    name: 'no-such-image',
    about: 'an image that does not exist',
    yaml: pod('no-such-image', 'image: registry.example.invalid/thing:1'),
    seconds: 52,
    outcome: '0/1 ImagePullBackOff 0',
    warnings: ['Failed'],
  },
  {
    name: 'bad-image-name',
    about: 'an image with an invalid name',
    yaml: pod('bad-image-name', 'image: Nginx:Latest:1'),
    seconds: 30,
    outcome: '0/1 InvalidImageName 0',
    warnings: ['Failed', 'InspectFailed'],
  },
  {
    name: 'never-pulled',
    about: 'imagePullPolicy Never without the image',
    yaml: pod('never-pulled', 'image: example/local:1\nimagePullPolicy: Never'),
    seconds: 30,
    outcome: '0/1 ErrImageNeverPull 0',
    warnings: ['ErrImageNeverPull', 'Failed'],
  },
  {
    name: 'two-containers',
    about: 'two containers that share a volume',
    yaml: `
apiVersion: v1
kind: Pod
metadata: { name: two-containers }
spec:
  restartPolicy: Never
  volumes: [{ name: shared, emptyDir: {} }]
  containers:
    - name: reader
      image: busybox:1.36
      command: [sh, -c, 'while ! test -f /pod/hello; do sleep 1; done; cat /pod/hello']
      volumeMounts: [{ name: shared, mountPath: /pod }]
    - name: writer
      image: busybox:1.36
      command: [sh, -c, 'sleep 3; echo from the writer > /pod/hello']
      volumeMounts: [{ name: shared, mountPath: /pod }]
`,
    seconds: 60,
    outcome: '0/2 Completed 0',
    log: ['from the writer'],
  },
  {
    name: 'deadline',
    about: 'activeDeadlineSeconds',
    yaml: pod('deadline', sleeper, 'activeDeadlineSeconds: 20'),
    seconds: 60,
    outcome: '0/1 Error 0',
  },
  // Probes
  {
    name: 'liveness-exec',
    about: 'a liveness probe that reads a file which is removed after 30 s',
    yaml: pod(
      'liveness-exec',
      `image: busybox:1.36
args: [/bin/sh, -c, 'touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600']
livenessProbe: { exec: { command: [cat, /tmp/healthy] }, initialDelaySeconds: 5, periodSeconds: 5 }`,
    ),
    seconds: 100,
    outcome: '1/1 Running 1',
    warnings: ['Unhealthy'],
  },
  {
    name: 'liveness-http',
    about: 'a liveness probe over HTTP that fails after 10 s',
    yaml: pod(
      'liveness-http',
      `image: registry.k8s.io/e2e-test-images/agnhost:2.40
args: [liveness]
livenessProbe: { httpGet: { path: /healthz, port: 8080 }, initialDelaySeconds: 3, periodSeconds: 3 }`,
    ),
    seconds: 75,
    outcome: '0/1 CrashLoopBackOff 3',
    warnings: ['BackOff', 'Unhealthy'],
  },
  {
    name: 'tcp-probes',
    about: 'readiness and liveness probes over TCP',
    yaml: pod(
      'tcp-probes',
      `image: nginx:1.28
ports: [{ containerPort: 80 }]
readinessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 5, periodSeconds: 10 }
livenessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 15, periodSeconds: 10 }`,
    ),
    seconds: 60,
    outcome: '1/1 Running 0',
  },
  {
    name: 'wrong-port',
    about: 'a readiness probe on a port that nothing listens to',
    yaml: pod(
      'wrong-port',
      `image: nginx:1.28
ports: [{ containerPort: 80 }]
readinessProbe: { httpGet: { path: /, port: 8080 }, periodSeconds: 5 }`,
    ),
    seconds: 60,
    outcome: '0/1 Running 0',
    warnings: ['Unhealthy'],
  },
  {
    name: 'missing-page',
    about: 'a readiness probe on a page that does not exist',
    yaml: pod(
      'missing-page',
      `image: nginx:1.28
ports: [{ name: http, containerPort: 80 }]
readinessProbe: { httpGet: { path: /absent, port: http }, periodSeconds: 5 }`,
    ),
    seconds: 60,
    outcome: '0/1 Running 0',
    warnings: ['Unhealthy'],
  },
  {
    name: 'slow-start',
    about: 'a startup probe in front of a liveness probe',
    yaml: pod(
      'slow-start',
      `image: busybox:1.36
command: [sh, -c, 'sleep 25; touch /tmp/started; sleep 3600']
startupProbe: { exec: { command: [test, -f, /tmp/started] }, failureThreshold: 30, periodSeconds: 2 }
livenessProbe: { exec: { command: [test, -f, /tmp/started] }, periodSeconds: 1, failureThreshold: 1 }`,
    ),
    seconds: 60,
    outcome: '1/1 Running 0',
    warnings: ['Unhealthy'],
  },
  {
    name: 'never-started',
    about: 'a startup probe that never succeeds',
    yaml: pod(
      'never-started',
      `${sleeper}
startupProbe: { exec: { command: ['false'] }, failureThreshold: 3, periodSeconds: 5 }`,
    ),
    seconds: 55,
    outcome: '0/1 Running 1',
    warnings: ['Unhealthy'],
  },
  {
    name: 'ready-by-file',
    about: 'a readiness probe that succeeds later',
    yaml: pod(
      'ready-by-file',
      `image: busybox:1.36
command: [sh, -c, 'sleep 20; touch /tmp/ready; sleep 3600']
readinessProbe: { exec: { command: [cat, /tmp/ready] }, periodSeconds: 5 }`,
    ),
    seconds: 60,
    outcome: '1/1 Running 0',
    warnings: ['Unhealthy'],
  },
  {
    name: 'ordinal',
    about: 'a script that takes its host name and a path apart',
    yaml: pod(
      'ordinal',
      `image: busybox:1.36
command: [sh, -c, 'x=\${HOSTNAME##*-}; p=/etc/config/app.conf; f=\${p##*/}; echo \${HOSTNAME%-*} $x \${f%.conf} \${#f}']`,
      'hostname: db-3\nrestartPolicy: Never',
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['db 3 app 8'],
  },
  {
    name: 'working-dir',
    about: 'a workingDir that the image does not have',
    yaml: pod(
      'working-dir',
      `image: busybox:1.36
workingDir: /srv/app
command: [sh, -c, 'echo here > file; pwd; cat /srv/app/file']`,
      'restartPolicy: Never',
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['/srv/app', 'here'],
  },
  {
    name: 'host-aliases',
    about: 'hostAliases in the hosts file',
    yaml: pod(
      'host-aliases',
      `image: busybox:1.36
command: [cat, /etc/hosts]`,
      'restartPolicy: Never\nhostAliases: [{ ip: 10.1.2.3, hostnames: [foo.remote, bar.remote] }]',
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['# Entries added by HostAliases.', '10.1.2.3\tfoo.remote\tbar.remote'],
  },
  {
    name: 'size-limit',
    about: 'an emptyDir that outgrows its sizeLimit',
    yaml: pod(
      'size-limit',
      `image: busybox:1.36
command: [sh, -c, 'seq 1 9999 > /cache/numbers; sleep 3600']
volumeMounts: [{ name: cache, mountPath: /cache }]`,
      'volumes: [{ name: cache, emptyDir: { sizeLimit: 10Ki } }]',
    ),
    seconds: 90,
    outcome: '0/1 Error 0',
    warnings: ['Evicted'],
  },
  // What servers are asked with
  {
    name: 'redis-ping',
    about: 'a readiness probe that runs redis-cli',
    yaml: pod(
      'redis-ping',
      `image: redis:7
readinessProbe: { exec: { command: [redis-cli, ping] }, periodSeconds: 5 }
livenessProbe: { exec: { command: [sh, -c, 'redis-cli -h localhost ping | grep -q PONG'] } }`,
    ),
    seconds: 40,
    outcome: '1/1 Running 0',
  },
  {
    name: 'postgres-ready',
    about: 'a readiness probe that runs pg_isready',
    yaml: pod(
      'postgres-ready',
      `image: postgres:16
env: [{ name: POSTGRES_PASSWORD, value: secret }, { name: POSTGRES_USER, value: ada }]
readinessProbe: { exec: { command: [sh, -c, 'exec pg_isready -U "$POSTGRES_USER" -h 127.0.0.1 -p 5432'] } }`,
    ),
    seconds: 40,
    outcome: '1/1 Running 0',
  },
  {
    name: 'mysql-ping',
    about: 'probes that run mysqladmin and mysql',
    yaml: pod(
      'mysql-ping',
      `image: mysql:8.4
env: [{ name: MYSQL_ALLOW_EMPTY_PASSWORD, value: "1" }]
livenessProbe: { exec: { command: [mysqladmin, ping] }, initialDelaySeconds: 30, periodSeconds: 10 }
readinessProbe: { exec: { command: [mysql, -h, 127.0.0.1, -e, SELECT 1] }, initialDelaySeconds: 5, periodSeconds: 2 }`,
    ),
    seconds: 60,
    outcome: '1/1 Running 0',
  },
  {
    name: 'redis-elsewhere',
    about: 'a liveness probe that asks a port on which its server does not listen',
    yaml: pod(
      'redis-elsewhere',
      `image: redis:7
livenessProbe: { exec: { command: [redis-cli, -p, "6380", ping] }, periodSeconds: 5 }`,
    ),
    seconds: 22,
    outcome: '1/1 Running 1',
    warnings: ['Unhealthy'],
  },
  // Lifecycle
  {
    name: 'post-start',
    about: 'a postStart hook that writes a file',
    yaml: pod(
      'post-start',
      `image: nginx:1.28
lifecycle: { postStart: { exec: { command: [/bin/sh, -c, 'echo hello > /usr/share/message'] } } }
readinessProbe: { exec: { command: [grep, -q, hello, /usr/share/message] } }`,
    ),
    seconds: 40,
    outcome: '1/1 Running 0',
  },
  {
    name: 'post-start-fails',
    about: 'a postStart hook that fails',
    yaml: pod(
      'post-start-fails',
      `image: nginx:1.28
lifecycle: { postStart: { exec: { command: [sh, -c, 'exit 1'] } } }`,
    ),
    seconds: 45,
    outcome: '0/1 CrashLoopBackOff 2',
    warnings: ['BackOff', 'FailedPostStartHook'],
  },
  // Init containers and sidecars
  {
    name: 'init-page',
    about: 'an init container that prepares a page',
    yaml: `
apiVersion: v1
kind: Pod
metadata: { name: init-page }
spec:
  volumes: [{ name: site, emptyDir: {} }]
  initContainers:
    - name: install
      image: busybox:1.36
      command: [sh, -c, 'echo installed > /work/index.html']
      volumeMounts: [{ name: site, mountPath: /work }]
  containers:
    - name: web
      image: nginx:1.28
      ports: [{ containerPort: 80 }]
      volumeMounts: [{ name: site, mountPath: /usr/share/nginx/html }]
      readinessProbe: { httpGet: { path: /index.html, port: 80 } }
`,
    seconds: 40,
    outcome: '1/1 Running 0',
  },
  {
    name: 'init-waits',
    about: 'an init container that waits for a Service which does not exist',
    yaml: pod(
      'init-waits',
      sleeper,
      `initContainers:
  - name: wait
    image: busybox:1.36
    command: [sh, -c, 'until nslookup database.default.svc.cluster.local; do echo waiting; sleep 2; done']`,
    ),
    seconds: 40,
    outcome: '0/1 Init:0/1 0',
  },
  {
    name: 'init-fails',
    about: 'an init container that fails, with restartPolicy Never',
    yaml: pod(
      'init-fails',
      sleeper,
      `restartPolicy: Never
initContainers: [{ name: check, image: 'busybox:1.36', command: [sh, -c, 'exit 7'] }]`,
    ),
    seconds: 40,
    outcome: '0/1 Init:Error 0',
  },
  {
    name: 'sidecar-log',
    about: 'a sidecar that prints what the app writes',
    yaml: pod(
      'sidecar-log',
      `image: busybox:1.36
command: [sh, -c, 'echo logging > /opt/logs.txt; sleep 10']
volumeMounts: [{ name: data, mountPath: /opt }]`,
      `restartPolicy: Never
volumes: [{ name: data, emptyDir: {} }]
initContainers:
  - name: shipper
    image: busybox:1.36
    restartPolicy: Always
    command: [sh, -c, 'trap "exit 0" TERM; while ! test -f /opt/logs.txt; do sleep 1; done; cat /opt/logs.txt; sleep 3600']
    volumeMounts: [{ name: data, mountPath: /opt }]`,
    ),
    seconds: 120,
    outcome: '0/2 Completed 0',
  },
  // ConfigMaps, Secrets, fields
  {
    name: 'config-env',
    about: 'variables from a ConfigMap',
    yaml: documents(
      settings,
      pod(
        'config-env',
        `image: busybox:1.36
command: [sh, -c, 'echo $COLOR $mode']
env: [{ name: COLOR, valueFrom: { configMapKeyRef: { name: settings, key: color } } }]
envFrom: [{ configMapRef: { name: settings } }]`,
        'restartPolicy: Never',
      ),
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['blue fast'],
  },
  {
    name: 'config-missing',
    about: 'a variable from a ConfigMap that does not exist',
    yaml: pod(
      'config-missing',
      `${sleeper}
env: [{ name: COLOR, valueFrom: { configMapKeyRef: { name: absent, key: color } } }]`,
    ),
    seconds: 40,
    outcome: '0/1 CreateContainerConfigError 0',
    warnings: ['Failed'],
  },
  {
    name: 'config-arrives',
    about: 'a ConfigMap that arrives later',
    yaml: pod(
      'config-arrives',
      `${sleeper}
env: [{ name: COLOR, valueFrom: { configMapKeyRef: { name: settings, key: color } } }]`,
    ),
    later: settings,
    seconds: 120,
    outcome: '1/1 Running 0',
    warnings: ['Failed'],
  },
  {
    name: 'config-optional',
    about: 'an optional ConfigMap that does not exist',
    yaml: pod(
      'config-optional',
      `image: busybox:1.36
command: [sh, -c, 'echo "color:$COLOR"']
env: [{ name: COLOR, valueFrom: { configMapKeyRef: { name: absent, key: color, optional: true } } }]`,
      'restartPolicy: Never',
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['color:'],
  },
  {
    name: 'config-volume',
    about: 'a ConfigMap as a volume',
    yaml: documents(
      settings,
      pod(
        'config-volume',
        `image: busybox:1.36
command: [sh, -c, 'ls /etc/config; cat /etc/config/color']
volumeMounts: [{ name: config, mountPath: /etc/config }]`,
        `restartPolicy: Never
volumes: [{ name: config, configMap: { name: settings } }]`,
      ),
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['color', 'mode', 'page.html', 'blue'],
  },
  {
    name: 'config-item',
    about: 'one key of a ConfigMap at a path of its own',
    yaml: documents(
      settings,
      pod(
        'config-item',
        `image: busybox:1.36
command: [cat, /etc/config/keys/hue]
volumeMounts: [{ name: config, mountPath: /etc/config }]`,
        `restartPolicy: Never
volumes: [{ name: config, configMap: { name: settings, items: [{ key: color, path: keys/hue }] } }]`,
      ),
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['blue'],
  },
  {
    name: 'config-script',
    about: 'a script from a ConfigMap, as the command',
    yaml: documents(
      scripts,
      pod(
        'config-script',
        `image: busybox:1.36
command: [/scripts/run.sh, hello]
volumeMounts: [{ name: scripts, mountPath: /scripts }]`,
        `restartPolicy: Never
volumes: [{ name: scripts, configMap: { name: scripts, defaultMode: 0755 } }]`,
      ),
    ),
    seconds: 30,
    outcome: '0/1 Error 0',
    log: ['hello'],
    terminationReason: 'Error',
  },
  {
    name: 'config-template',
    about: 'an init container that fills a template with sed and awk',
    yaml: `
apiVersion: v1
kind: ConfigMap
metadata: { name: template }
data:
  app.conf: |
    name=@NAME@
    port=@PORT@
---
apiVersion: v1
kind: Pod
metadata: { name: config-template }
spec:
  restartPolicy: Never
  volumes:
    - { name: work, emptyDir: {} }
    - { name: template, configMap: { name: template } }
  initContainers:
    - name: render
      image: busybox:1.36
      env: [{ name: NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }]
      command:
        - sh
        - -c
        - |
          sed -e "s|@NAME@|$NAME|" -e 's/@PORT@/8080/' /template/app.conf > /work/app.conf
          sed -i '1i# filled' /work/app.conf
          awk -F= '/port/ {print $2}' /work/app.conf > /work/port
      volumeMounts: [{ name: template, mountPath: /template }, { name: work, mountPath: /work }]
  containers:
    - name: app
      image: busybox:1.36
      command: [sh, -c, 'cat /work/app.conf /work/port']
      volumeMounts: [{ name: work, mountPath: /work, readOnly: true }]
`,
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['# filled', 'name=config-template', 'port=8080', '8080'],
  },
  {
    name: 'text-tools',
    about: 'a batch script of text programs',
    yaml: pod(
      'text-tools',
      `image: busybox:1.36
command:
  - sh
  - -ec
  - |
    printf 'b 2\\na 1\\nc 3\\n' | sort -r | awk '{s += $2; last = $1} END {print "sum", s, last}'
    find /etc -name 'host*' -type f | sort | tr '\\n' ' '
    ps | sed 1d | wc -l`,
      'restartPolicy: Never',
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['sum 6 a', '/etc/hostname /etc/hosts 4'],
  },
  {
    name: 'config-script-mode',
    about: 'a script from a ConfigMap without the right to execute it',
    yaml: documents(
      scripts,
      pod(
        'config-script-mode',
        `image: busybox:1.36
command: [/scripts/run.sh, hello]
volumeMounts: [{ name: scripts, mountPath: /scripts }]`,
        `restartPolicy: Never
volumes: [{ name: scripts, configMap: { name: scripts } }]`,
      ),
    ),
    seconds: 30,
    outcome: '0/1 StartError 0',
    warnings: ['Failed'],
    terminationReason: 'StartError',
  },
  {
    name: 'config-page',
    about: 'a page from a ConfigMap, mounted by subPath',
    yaml: documents(
      settings,
      pod(
        'config-page',
        `image: nginx:1.28
ports: [{ containerPort: 80 }]
volumeMounts: [{ name: config, mountPath: /usr/share/nginx/html/page.html, subPath: page.html }]
readinessProbe: { httpGet: { path: /page.html, port: 80 } }`,
        'volumes: [{ name: config, configMap: { name: settings } }]',
      ),
    ),
    seconds: 40,
    outcome: '1/1 Running 0',
  },
  {
    name: 'secret-env',
    about: 'variables from a Secret',
    yaml: documents(
      login,
      pod(
        'secret-env',
        `image: busybox:1.36
command: [sh, -c, 'echo $SECRET_user:$SECRET_password']
envFrom: [{ prefix: SECRET_, secretRef: { name: login } }]`,
        'restartPolicy: Never',
      ),
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['ada:lovelace'],
  },
  {
    name: 'secret-key-missing',
    about: 'a key that the Secret does not have',
    yaml: documents(
      login,
      pod(
        'secret-key-missing',
        `${sleeper}
env: [{ name: TOKEN, valueFrom: { secretKeyRef: { name: login, key: token } } }]`,
      ),
    ),
    seconds: 40,
    outcome: '0/1 CreateContainerConfigError 0',
    warnings: ['Failed'],
  },
  {
    name: 'secret-volume-arrives',
    about: 'a volume of a Secret that arrives later',
    yaml: pod(
      'secret-volume-arrives',
      `${sleeper}
volumeMounts: [{ name: secret, mountPath: /etc/secret }]`,
      'volumes: [{ name: secret, secret: { secretName: login } }]',
    ),
    later: login,
    seconds: 160,
    outcome: '1/1 Running 0',
    warnings: ['FailedMount'],
  },
  {
    name: 'projected',
    about: 'a Secret, a ConfigMap and fields in one volume',
    yaml: documents(
      settings,
      login,
      pod(
        'projected',
        `image: busybox:1.36
command: [sh, -c, 'cat /all/login/user; echo; cat /all/color; echo; cat /all/name']
volumeMounts: [{ name: all, mountPath: /all, readOnly: true }]`,
        `restartPolicy: Never
volumes:
  - name: all
    projected:
      sources:
        - secret: { name: login, items: [{ key: user, path: login/user }] }
        - configMap: { name: settings }
        - downwardAPI: { items: [{ path: name, fieldRef: { fieldPath: metadata.name } }] }`,
      ),
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['ada', 'blue', 'projected'],
  },
  {
    name: 'field-env',
    about: 'variables from fields of the pod',
    yaml: pod(
      'field-env',
      `image: busybox:1.36
command: [sh, -c, 'echo $NAME $NAMESPACE $ACCOUNT $CPU $MEMORY']
resources: { requests: { cpu: 125m, memory: 32Mi }, limits: { cpu: 250m, memory: 64Mi } }
env:
  - { name: NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
  - { name: NAMESPACE, valueFrom: { fieldRef: { fieldPath: metadata.namespace } } }
  - { name: ACCOUNT, valueFrom: { fieldRef: { fieldPath: spec.serviceAccountName } } }
  - { name: CPU, valueFrom: { resourceFieldRef: { resource: requests.cpu } } }
  - { name: MEMORY, valueFrom: { resourceFieldRef: { resource: limits.memory, divisor: 1Mi } } }`,
      'restartPolicy: Never',
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['field-env default default 1 64'],
  },
  {
    name: 'field-volume',
    about: 'labels in a file',
    yaml: pod(
      'field-volume',
      `image: busybox:1.36
command: [cat, /etc/podinfo/labels]
volumeMounts: [{ name: podinfo, mountPath: /etc/podinfo }]`,
      `restartPolicy: Never
volumes: [{ name: podinfo, downwardAPI: { items: [{ path: labels, fieldRef: { fieldPath: metadata.labels } }] } }]`,
    ).replace(
      'metadata: { name: field-volume }',
      'metadata: { name: field-volume, labels: { zone: us-est-coast, cluster: test-cluster1 } }',
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['cluster="test-cluster1"', 'zone="us-est-coast"'],
  },
  // Volumes
  {
    name: 'cache',
    about: 'a file in an emptyDir survives the restart of its container',
    yaml: pod(
      'cache',
      `image: busybox:1.36
command: [sh, -c, 'if test -f /cache/seen; then echo again; sleep 3600; fi; touch /cache/seen; exit 1']
volumeMounts: [{ name: cache, mountPath: /cache }]`,
      'volumes: [{ name: cache, emptyDir: { sizeLimit: 500Mi } }]',
    ),
    seconds: 60,
    outcome: '1/1 Running 1',
    log: ['again'],
  },
  {
    name: 'host-path-missing',
    about: 'a hostPath of type Directory that does not exist',
    yaml: pod(
      'host-path-missing',
      `${sleeper}
volumeMounts: [{ name: host, mountPath: /host }]`,
      'volumes: [{ name: host, hostPath: { path: /no/such/folder, type: Directory } }]',
    ),
    seconds: 60,
    outcome: '0/1 ContainerCreating 0',
    warnings: ['FailedMount'],
  },
  {
    name: 'host-path-created',
    about: 'a hostPath of type DirectoryOrCreate',
    yaml: pod(
      'host-path-created',
      `image: busybox:1.36
command: [sh, -c, 'echo kept > /host/file; cat /host/file']
volumeMounts: [{ name: host, mountPath: /host }]`,
      `restartPolicy: Never
volumes: [{ name: host, hostPath: { path: /data/foo, type: DirectoryOrCreate } }]`,
    ),
    seconds: 30,
    outcome: '0/1 Completed 0',
    log: ['kept'],
  },
  // Resources and QoS
  {
    name: 'too-much-cpu',
    about: 'a request that no node can meet',
    yaml: pod(
      'too-much-cpu',
      `${sleeper}
resources: { requests: { cpu: '100' }, limits: { cpu: '100' } }`,
    ),
    seconds: 30,
    outcome: '0/1 Pending 0',
    warnings: ['FailedScheduling'],
  },
  {
    name: 'guaranteed',
    about: 'requests that are equal to the limits',
    yaml: pod(
      'guaranteed',
      `image: nginx:1.28
resources: { requests: { cpu: 500m, memory: 200Mi }, limits: { cpu: 500m, memory: 200Mi } }`,
    ),
    seconds: 30,
    outcome: '1/1 Running 0',
  },
  {
    name: 'memory-leak',
    about: 'more memory than the limit, told by an annotation',
    yaml: pod(
      'memory-leak',
      `image: busybox:1.36
command: [sleep, '3600']
resources: { requests: { memory: 50Mi }, limits: { memory: 100Mi } }`,
      'restartPolicy: Never',
    ).replace(
      'metadata: { name: memory-leak }',
      "metadata: { name: memory-leak, annotations: { simulated.nodescope.dev/memory: '50Mi to 250Mi over 20s' } }",
    ),
    seconds: 40,
    outcome: '0/1 OOMKilled 0',
    terminationReason: 'OOMKilled',
  },
  {
    name: 'memory-stress',
    about: 'more memory than the limit, taken by a program',
    yaml: pod(
      'memory-stress',
      `image: polinux/stress
resources: { requests: { memory: 50Mi }, limits: { memory: 100Mi } }
command: [stress]
args: ['--vm', '1', '--vm-bytes', '250M', '--vm-hang', '1']`,
      'restartPolicy: Never',
    ),
    seconds: 40,
    outcome: '0/1 OOMKilled 0',
    terminationReason: 'OOMKilled',
  },
  {
    name: 'memory-fits',
    about: 'less memory than the limit, taken by a program',
    yaml: pod(
      'memory-fits',
      `image: polinux/stress
resources: { requests: { memory: 100Mi }, limits: { memory: 200Mi } }
command: [stress]
args: ['--vm', '1', '--vm-bytes', '150M', '--vm-hang', '1']`,
    ),
    seconds: 40,
    outcome: '1/1 Running 0',
    log: ['stress: info: [1] dispatching hogs: 0 cpu, 0 io, 1 vm, 0 hdd'],
  },
  {
    name: 'cpu-throttled',
    about: 'more CPU than the limit, taken by a program',
    yaml: pod(
      'cpu-throttled',
      `image: vish/stress
resources: { requests: { cpu: 500m }, limits: { cpu: '1' } }
args: [-cpus, '2']`,
    ),
    seconds: 40,
    outcome: '1/1 Running 0',
  },
  // Termination
  {
    name: 'termination-file',
    about: 'a termination message from a file',
    yaml: pod(
      'termination-file',
      `image: busybox:1.36
command: [sh, -c, 'sleep 10 && echo Sleep expired > /dev/termination-log']`,
      'restartPolicy: Never',
    ),
    seconds: 40,
    outcome: '0/1 Completed 0',
    terminationMessage: 'Sleep expired\n',
  },
  {
    name: 'termination-log',
    about: 'a termination message from the log',
    yaml: pod(
      'termination-log',
      `image: busybox:1.36
command: [sh, -c, 'echo disk not found; exit 1']
terminationMessagePolicy: FallbackToLogsOnError`,
      'restartPolicy: Never',
    ),
    seconds: 40,
    outcome: '0/1 Error 0',
    terminationMessage: 'disk not found\n',
  },
  {
    name: 'users',
    about: 'users and groups of a pod',
    yaml: pod(
      'users',
      `image: busybox:1.36
command: [sh, -c, 'sleep 3600']
volumeMounts: [{ name: demo, mountPath: /data/demo }]
securityContext: { allowPrivilegeEscalation: false }`,
      `securityContext: { runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000 }
volumes: [{ name: demo, emptyDir: {} }]`,
    ),
    seconds: 30,
    outcome: '1/1 Running 0',
  },
  {
    name: 'not-root',
    about: 'runAsNonRoot with an image that runs as root',
    yaml: pod('not-root', 'image: nginx:1.28', 'securityContext: { runAsNonRoot: true }'),
    seconds: 30,
    outcome: '0/1 CreateContainerConfigError 0',
    warnings: ['Failed'],
  },
]
