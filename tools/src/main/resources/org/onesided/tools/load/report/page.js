/*
 * The page: what all runs have in common first, then phase by phase.
 */

const PHASES = {run: 'Run', load: 'Load'};
const TABLE_PERCENTILES = ['50', '90', '95', '99', '99.9', '99.99'];
const READ_MODIFY_WRITE = 'READ-MODIFY-WRITE';

const runs = JSON.parse(document.getElementById('data').textContent).map(({label, result}, index) =>
  ({label, result, colour: index % COLOURS}));
const isSingle = runs.length === 1;

/** The latencies to be shown first: from the intended start, where there is one. */
function latencies(operation) {
  return operation.intended ?? operation.service;
}

/** Operations a second of a stretch; a read-modify-write counts as a read and an update, too. */
function intervalRate(interval) {
  const count = interval.operations.reduce(
    (sum, one) => sum + (one.operation === READ_MODIFY_WRITE ? -one.count : one.count), -(interval.conflicts ?? 0));
  return count * 1000 / interval.lengthMs;
}

/** Stretches that are long enough for a rate. */
function steady(phase) {
  const long = phase.intervals.filter(interval => interval.lengthMs >= 250);
  return long.length > 0 ? long : phase.intervals.filter(interval => interval.lengthMs > 0);
}

function middle(interval) {
  return (interval.startMs + interval.lengthMs / 2) / 1000;
}

/** Seconds that a chart over time must hold. */
function end(entries) {
  const longest = Math.max(...entries.map(({phase}) => phase.elapsedNs)) / 1e9;
  return longest > 3 ? Math.ceil(longest - 0.05) : longest;
}

function perOperation(ns, phase) {
  return ns < 0 || phase.done === 0 ? -1 : ns / phase.done;
}

function curve(distribution) {
  return distribution.curve.map(([percentile, ns]) => ({x: nines(percentile, distribution.count), y: ns}));
}

function title(run) {
  const {workload} = run.result.settings;
  return `Workload ${workload.length === 1 ? workload.toUpperCase() : workload}`;
}

function header() {
  const {result} = runs[0];
  const name = isSingle ? title(runs[0]) : `${runs.length} runs compared`;
  const store = result.store.kind === 'map' ? 'a map in the process itself' :
    `${result.store.address} over ${result.store.device}`;
  document.title = `${name} – onesided load report`;
  document.getElementById('top').append(
    h('p', {class: 'kicker'}, 'onesided load report'),
    h('h1', {}, isSingle ? `${name} on ${store}` : name),
    isSingle ? h('p', {class: 'lead'}, when(result)) :
      h('ul', {class: 'runs'}, runs.map(run => h('li', {}, h('span', {class: `swatch c${run.colour}`}),
        h('strong', {}, run.label), h('span', {class: 'muted'}, `${title(run)}, ${when(run.result)}`)))));
}

function when({start, machine}) {
  return `${date(start)} on ${machine.host}`;
}

function tile(name, [value, unit], ...notes) {
  return h('div', {class: 'tile'}, h('h4', {}, name),
    h('p', {class: 'value'}, value, unit && h('span', {class: 'unit'}, ` ${unit.trim()}`)), notes.flat().filter(Boolean).map(text => h('p', {}, text)));
}

/** The figures of one run. */
function tiles(phase) {
  const {client, cpu, verification} = phase;
  const faults = verification.faults.reduce((sum, fault) => sum + fault.count, 0);
  const serverNs = perOperation(cpu.serverNs, phase);
  return h('div', {class: phase.operations.length > 2 ? 'tiles many' : 'tiles'},
    tile('Throughput', rateParts(phase.throughput), `${whole(phase.done)} operations`,
      `in ${seconds(phase.elapsedNs / 1e6)}`),
    phase.operations.slice(0, 3).map(one => {
      const {percentiles} = latencies(one);
      return one.count === 0 ? tile(`${one.operation} p99`, [NO_VALUE], 'none succeeded') :
        tile(`${one.operation} p99`, timeParts(percentiles['99']),
          `p50 ${time(percentiles['50'])}`, `p99.9 ${time(percentiles['99.9'])}`);
    }),
    client.gets > 0 && tile('READs per GET', [ratio(client.readsPerGet)],
      `${percent(client.retries / client.gets)} done again`, `${whole(client.rpcGets)} by request`),
    serverNs >= 0 && phase.elapsedNs >= 1e9 && tile('Server processor', timeParts(serverNs), 'per operation',
      `${percent(cpu.serverNs / phase.elapsedNs)} of a core`),
    conflicts(phase) > 0 && tile('Conflicts', [whole(conflicts(phase))],
      `${whole(phase.conflicts.givenUp)} operations given up`),
    tile('Failed', [whole(phase.failed)],
      settingsVerified(verification) ? [`${whole(verification.verified)} values verified`, `${whole(faults)} wrong`] :
        'values were not verified'));
}

function settingsVerified(verification) {
  return verification.verified > 0 || verification.faults.length > 0;
}

/** A cell with its difference from the first run. */
function compared(value, first, format, isMoreBetter) {
  if (value === undefined || value < 0) {
    return NO_VALUE;
  }
  const change = value / first - 1;
  if (first === undefined || first <= 0 || Math.abs(change) < 0.0005) {
    return format(value);
  }
  const kind = Math.abs(change) < 0.02 || isMoreBetter === undefined ? '' : change > 0 === isMoreBetter ? 'better' : 'worse';
  const sign = change > 0 ? '+' : '−';
  const size = Math.abs(change) < 10 ? `${sign}${(100 * Math.abs(change)).toFixed(1)} %` : `${digits(value / first)} times`;
  return h('span', {}, format(value), h('span', {class: `delta ${kind}`}, size));
}

/** The figures of several runs, side by side. */
function comparison(entries) {
  const rows = [];
  const row = (name, valueOf, format, isMoreBetter) => {
    const values = entries.map(({phase}) => valueOf(phase));
    if (values.some(value => value !== undefined && value >= 0)) {
      rows.push([name, ...values.map(value => compared(value, values[0], format, isMoreBetter))]);
    }
  };
  row('Throughput', phase => phase.throughput, rate, true);
  for (const name of operationNames(entries)) {
    for (const percentile of ['50', '99', '99.9']) {
      row(`${name} p${percentile}`, phase => {
        const found = phase.operations.find(one => one.operation === name);
        return found && latencies(found).percentiles[percentile];
      }, time, false);
    }
  }
  row('READs per GET', phase => (phase.client.gets > 0 ? phase.client.readsPerGet : undefined), ratio, false);
  row('Retries per GET', phase => (phase.client.gets > 0 ? phase.client.retries / phase.client.gets : undefined), percent, false);
  row('Server processor per operation', phase => perOperation(phase.cpu.serverNs, phase), time, false);
  row('Client processor per operation', phase => perOperation(phase.cpu.clientNs, phase), time, false);
  if (entries.some(({phase}) => conflicts(phase) > 0)) {
    row('Conflicts', conflicts, whole);
  }
  row('Failed', phase => phase.failed, whole);
  row('Measured for', phase => phase.elapsedNs, time);
  return h('div', {class: 'card'}, table(['', ...entries.map(({run}) => run.label)], rows));
}

/** Puts by version whose key another had changed. Older results have no such number. */
function conflicts(phase) {
  return phase.conflicts?.puts ?? 0;
}

function operationNames(entries) {
  return [...new Set(entries.flatMap(({phase}) => phase.operations.map(one => one.operation)))];
}

function throughputPlot(entries) {
  const names = isSingle ? operationNames(entries) : [];
  const total = ({run, phase}) => ({
    label: isSingle ? 'all' : run.label,
    colour: names.length < 2 ? run.colour : COLOURS - 1,
    line: names.length < 2 ? 'solid' : 'broad',
    points: steady(phase).map(interval => ({x: middle(interval), y: intervalRate(interval)})),
  });
  const parts = names.length < 2 ? [] : names.map((name, index) => ({
    label: name,
    colour: index % COLOURS,
    // As many as there are updates, which they are part of.
    line: name === READ_MODIFY_WRITE ? 'dashed' : 'solid',
    // Above those before it, and all of them above their sum.
    order: -1 - index,
    points: steady(entries[0].phase).map(interval => ({
      x: middle(interval),
      y: (interval.operations.find(one => one.operation === name)?.count ?? 0) * 1000 / interval.lengthMs,
    })),
  }));
  const series = [...entries.map(total), ...parts];
  return timePlot({
    title: 'Throughput over time',
    note: 'Operations a second that succeeded, second by second.',
    series,
    end: end(entries),
    y: {format: rate, axis: rateAxis},
    rows: () => seriesTable('seconds', series, rate),
  });
}

/** Points of all series by their x, which runs need not share. */
function seriesTable(name, series, format) {
  const at = [...new Set(series.flatMap(one => one.points.map(point => point.x)))].sort((a, b) => a - b);
  const values = series.map(one => new Map(one.points.map(({x, y}) => [x, format(y)])));
  return [[name, ...series.map(one => one.label)], at.map(x => [digits(x), ...values.map(of => of.get(x) ?? NO_VALUE)])];
}

/** What is to be seen of one kind of operation. */
function operationSection(name, all) {
  const entries = all.map(entry => ({...entry, operation: entry.phase.operations.find(one => one.operation === name)}))
    .filter(entry => entry.operation !== undefined && entry.operation.count > 0);
  if (entries.length === 0) {
    return h('p', {class: 'note bad'}, `${name}: none succeeded.`);
  }
  return h('section', {'aria-label': name},
    h('h3', {}, name),
    h('div', {class: 'pair'}, curvePlot(name, entries), latencyPlot(name, entries)),
    h('div', {class: 'card'}, latencyTable(entries)));
}

function curvePlot(name, entries) {
  const series = entries.flatMap(({run, operation}) => {
    const {service, intended} = operation;
    if (intended === undefined) {
      return [{label: isSingle ? 'latency' : run.label, colour: run.colour, points: curve(service)}];
    }
    return [
      {label: isSingle ? 'from the intended start' : run.label, colour: run.colour, points: curve(intended)},
      {label: isSingle ? 'from the actual start' : `${run.label}, from the actual start`, colour: run.colour, line: 'dashed',
        points: curve(service)},
    ];
  });
  return percentilePlot({
    title: 'Latency by percentile',
    note: 'Each step to the right leaves a tenth of the operations.',
    series,
    rows: () => [['', ...series.map(one => one.label)],
      [0.30103, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter(nine => series.some(one => one.points.at(-1).x >= nine)).map(nine =>
        [nineName(nine), ...series.map(one => {
          const point = one.points.find(candidate => candidate.x >= nine - 1e-9);
          return point === undefined ? NO_VALUE : time(point.y);
        })])],
  });
}

function latencyPlot(name, entries) {
  const of = (phase, field) => steady(phase)
    .map(interval => ({x: middle(interval), y: interval.operations.find(one => one.operation === name)?.[field] ?? 0}))
    .filter(point => point.y > 0);
  const series = isSingle ?
    [['slowest', 'max', 'dotted', 6], ['p99', 'p99', 'solid', 0], ['p50', 'p50', 'dashed', 2]].map(
      ([label, field, line, colour]) => ({label, line, colour, points: of(entries[0].phase, field)})) :
    entries.flatMap(({run, phase}) => [
      {label: `${run.label} p99`, colour: run.colour, points: of(phase, 'p99')},
      {label: `${run.label} p50`, colour: run.colour, line: 'dashed', points: of(phase, 'p50')},
    ]);
  return timePlot({
    title: 'Latency over time',
    note: 'How long the operations of each second took.',
    series,
    end: end(entries),
    y: {format: time, axis: latencyAxis(series)},
    rows: () => seriesTable('seconds', series, time),
  });
}

function latencyTable(entries) {
  const rows = entries.flatMap(({run, operation}) => {
    const row = (label, distribution) => [label, whole(distribution.count), time(distribution.mean),
      ...TABLE_PERCENTILES.map(name => time(distribution.percentiles[name])), time(distribution.max)];
    const label = isSingle ? '' : run.label;
    return operation.intended === undefined ? [row(label || 'latency', operation.service)] : [
      row(isSingle ? 'from the intended start' : label, operation.intended),
      row(isSingle ? 'from the actual start' : `${label}, from the actual start`, operation.service),
    ];
  });
  return table(['', 'count', 'mean', ...TABLE_PERCENTILES.map(name => `p${name}`), 'slowest'], rows);
}

/** What lookups cost, and whom. */
function costs(entries) {
  const readers = entries.filter(({phase}) => phase.client.gets > 0);
  const series = (from, values) => from.map(({run, phase}) =>
    ({label: isSingle ? title(run) : run.label, colour: run.colour, values: values(phase)}));
  const counters = ['gets', 'mirrorHits', 'bucketReads', 'recordReads', 'retries', 'rpcGets', 'puts', 'reconnects'];
  const names = ['lookups (GETs)', 'without a READ of a bucket', 'READs of buckets', 'READs of records',
    'READs done again (retries)', 'lookups by request', 'puts', 'reconnects'];
  const figures = [];
  if (readers.length > 0) {
    figures.push(barPlot({
      title: 'READs per GET',
      note: 'One is the least: the record alone. Each lookup by request is one that the server had to answer.',
      categories: ['of records', 'of buckets', 'done again', 'by request'],
      series: series(readers, ({client}) =>
        [client.recordReads, client.bucketReads, client.retries, client.rpcGets].map(count => count / client.gets)),
      format: ratio,
    }));
  }
  if (entries.some(({phase}) => phase.cpu.serverNs >= 0 || phase.cpu.clientNs >= 0)) {
    figures.push(barPlot({
      title: 'Processor time per operation',
      note: 'Of all threads; the server’s is for changes, and for waiting for them.',
      categories: ['server', 'clients'],
      series: series(entries, phase => [perOperation(phase.cpu.serverNs, phase), perOperation(phase.cpu.clientNs, phase)]),
      format: time,
    }));
  }
  const rows = [
    ...names.map((name, index) => [name, ...entries.map(({phase}) => whole(phase.client[counters[index]]))])
      // Of phases without lookups, what is not about them.
      .slice(readers.length > 0 ? 0 : counters.indexOf('puts')),
    ['bytes READ', ...entries.map(({phase}) => bytes(phase.client.bytesRead))],
    ['server, of a core', ...entries.map(({phase}) => ofACore(phase.cpu.serverNs, phase))],
    ['clients, of a core', ...entries.map(({phase}) => ofACore(phase.cpu.clientNs, phase))],
    ['measured for', ...entries.map(({phase}) => time(phase.elapsedNs))],
  ];
  return [
    h('h3', {}, 'READs and processor time'),
    h('div', {class: 'pair'}, figures),
    isSingle ? h('div', {class: 'pair'}, [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)].map(part =>
      h('div', {class: 'card'}, table(['', ''], part)))) :
      h('div', {class: 'card'}, table(['', ...entries.map(({run}) => run.label)], rows)),
  ];
}

/** The kernel counts processor time in hundredths of a second. */
function ofACore(ns, phase) {
  return ns < 0 ? NO_VALUE : phase.elapsedNs < 1e9 ? 'too short' : percent(ns / phase.elapsedNs);
}

/** What a reader must know before the numbers. */
function warnings({run, phase}) {
  const where = isSingle ? '' : `${run.label}: `;
  const note = (text, isBad) => h('p', {class: isBad ? 'note bad' : 'note'}, where + text);
  const endings = {interrupted: 'Interrupted: the results end there.',
    failed: 'Failed: the results end there.'};
  return [
    endings[phase.ending] && note(endings[phase.ending], phase.ending === 'failed'),
    phase.behind > 0 && note(`${whole(phase.behind)} operations were due, but not started, at the end: ` +
      'the target was not reached.', true),
    phase.notes.map(text => note(text)),
    phase.failures.map(one => note(`${whole(one.count)} × ${one.operation} failed: ${one.kind}, such as “${one.example}”`, true)),
    phase.verification.faults.map(one => note(`${whole(one.count)} wrong ${one.count === 1 ? 'value' : 'values'}: ${one.kind}, such as “${one.example}”`, true)),
  ].flat().filter(Boolean);
}

function phaseSection(name) {
  const entries = runs.flatMap(run =>
    run.result.phases.filter(phase => phase.phase === name).map(phase => ({run, phase})));
  if (entries.length === 0) {
    return null;
  }
  const {settings} = entries[0].run.result;
  return h('section', {},
    h('h2', {}, PHASES[name] ?? name),
    isSingle && h('p', {class: 'muted'}, name === 'load' ? `${whole(settings.records)} records are put.` :
      `${mix(settings)}; ${threads(settings)}${target(settings)}.`),
    entries.flatMap(warnings),
    isSingle ? tiles(entries[0].phase) : comparison(entries),
    throughputPlot(entries),
    operationNames(entries).map(operation => operationSection(operation, entries)),
    costs(entries));
}

function mix(settings) {
  const kinds = Object.entries(settings.mix).map(([name, part]) => `${percent(part)} ${name}${kind(name, settings)}`);
  return `${kinds.join(', ')}, ${settings.distribution}`;
}

/** How read-modify-writes put, unless as YCSB's do. */
function kind(name, settings) {
  const texts = {version: ' by version', retry: ' by version with retries'};
  return name === 'READ-MODIFY-WRITE' ? texts[settings.readModifyWrite] ?? '' : '';
}

function threads(settings) {
  const each = `${settings.threads} ${settings.threads === 1 ? 'thread' : 'threads'}`;
  return settings.clients > 1 ? `${settings.clients} clients of ${each}` : each;
}

function target(settings) {
  return settings.target > 0 ? `, ${whole(settings.target)} operations a second wanted` : '';
}

/** Where and how it ran: what differs between runs is bold. */
function surroundings() {
  const rows = [
    ['host', ({machine}) => machine.host],
    ['processor', ({machine}) => `${machine.cpu || NO_VALUE}, ${machine.cores} cores for Java`],
    ['memory', ({machine}) => (machine.memoryBytes < 0 ? NO_VALUE : bytes(machine.memoryBytes))],
    ['system', ({machine}) => machine.os],
    ['Java', ({machine}) => machine.java],
    ['onesided', ({version}) => version || NO_VALUE],
    ['store', ({store}) => (store.kind === 'map' ? 'a map in the process itself' : store.address)],
    ['device', ({store}) => store.device || NO_VALUE],
    ['table', ({store}) => (store.regionBytes < 0 ? NO_VALUE : `${bytes(store.regionBytes)}, ${store.shards} ` +
      `${store.shards === 1 ? 'shard' : 'shards'}, ${store.hugePages ? 'in huge pages' : 'no huge pages'}`)],
    ['workload', ({settings}) => settings.workload],
    ['operations', ({settings}) => mix(settings)],
    ['records', ({settings}) => `${whole(settings.records)} of ${settings.fieldCount} × ${settings.fieldLength} bytes, ` +
      `keys ${settings.keyOrder}`],
    ['ends', ({settings}) => [settings.operations > 0 && `after ${whole(settings.operations)} operations`,
      settings.durationMs > 0 && `after ${seconds(settings.durationMs)}`].filter(Boolean).join(' or ') || NO_VALUE],
    ['warm-up', ({settings}) => (settings.warmUpMs > 0 ? seconds(settings.warmUpMs) : 'none')],
    ['threads', ({settings}) => threads(settings)],
    ['target', ({settings}) => (settings.target > 0 ? `${whole(settings.target)} operations a second` : 'as many as can be')],
    ['seed', ({settings}) => settings.seed],
    ['values', ({settings}) => (settings.verified ? 'verified' : 'not verified')],
  ];
  return h('section', {},
    h('h2', {}, 'Machine and settings'),
    h('div', {class: 'card'}, table(['', ...runs.map(run => (isSingle ? '' : run.label))],
      rows.map(([name, of]) => [name, ...runs.map(run => of(run.result))]), false)));
}

function commands() {
  return h('section', {},
    h('h2', {}, isSingle ? 'The command' : 'The commands'),
    runs.map(run => [
      !isSingle && h('h3', {}, run.label),
      h('pre', {class: 'command', tabindex: '0'}, commandLine(run.result.command)),
      saveButton(run),
    ].filter(Boolean)));
}

function saveButton(run) {
  const button = h('button', {type: 'button', class: 'save'}, 'Save the result as JSON');
  button.addEventListener('click', () => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(run.result, null, 2)], {type: 'application/json'}));
    h('a', {href: url, download: isSingle ? 'load.json' : run.label.replace(/.*[/\\]/, '')}).click();
    URL.revokeObjectURL(url);
  });
  return h('p', {}, button);
}

/** Tells tests what is to be seen: how many pixels of each chart are drawn, in how many colours. */
function countInk() {
  for (const {canvas} of plots) {
    const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    const drawn = pixels.filter(pixel => pixel >>> 24 > 0);
    canvas.dataset.ink = String(drawn.length);
    canvas.dataset.colours = String(new Set(drawn).size);
  }
  const root = document.documentElement;
  root.dataset.charts = String(plots.length);
  root.dataset.scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  root.dataset.overflow = String(Math.max(0, root.scrollWidth - root.clientWidth));
}

try {
  const main = document.getElementById('main');
  header();
  main.append(...['run', 'load'].map(phaseSection).filter(Boolean), surroundings(), commands());
  draw();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw());
  const onPaper = isPaper => () => {
    document.documentElement.classList.toggle('paper', isPaper);
    draw(isPaper ? 3 : devicePixelRatio);
  };
  addEventListener('beforeprint', onPaper(true));
  addEventListener('afterprint', onPaper(false));
  if (location.hash === '#ink') {
    setTimeout(countInk, 500);
  }
} catch (error) {
  document.getElementById('main').prepend(
    h('p', {class: 'note bad'}, `This page cannot show its data, which are at its end as JSON: ${error.message}`));
  throw error;
}
