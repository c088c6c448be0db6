/*
 * Charts. Each is made by a function of the page's colours, and made anew when they change.
 */

const COLOURS = 7;
const DASHES = {solid: [], broad: [], dashed: [6, 4], dotted: [1, 4]};
const plots = [];

function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = name => style.getPropertyValue(name).trim();
  return {
    text: of('--text'),
    muted: of('--muted'),
    grid: of('--grid'),
    surface: of('--surface'),
    line: of('--line'),
    font: of('--sans'),
    series: Array.from({length: COLOURS}, (ignored, index) => of(`--c${index}`)),
  };
}

/**
 * A figure with a chart.
 *
 * series: {label, colour, line, points: [{x, y}]}; x and y: {label, options of an axis}.
 */
function plot({title, note, series, config, low, rows}) {
  const canvas = h('canvas', {role: 'img', 'aria-label': `${title}. ${note}`});
  const legend = h('div', {class: 'legend'});
  const entry = {canvas, config, series, hidden: new Set()};
  series.forEach((one, index) => {
    const button = h('button', {type: 'button', 'aria-pressed': 'true'},
      h('span', {class: `swatch c${one.colour} ${one.line ?? ''}`}), one.label);
    button.addEventListener('click', () => {
      const isShown = entry.hidden.delete(index);
      if (!isShown) {
        entry.hidden.add(index);
      }
      button.setAttribute('aria-pressed', String(isShown));
      entry.chart.setDatasetVisibility(index, isShown);
      entry.chart.update();
    });
    legend.append(button);
  });
  plots.push(entry);
  return h('figure', {},
    h('figcaption', {}, h('h4', {}, title), h('p', {}, note)),
    // One series needs no name beside the title, unless its neighbours have some.
    low ? null : legend,
    h('div', {class: low ? 'plot low' : 'plot'}, canvas),
    rows && laterTable(rows));
}

/** The figure's numbers as a table, made when somebody wants to see it. */
function laterTable(rows) {
  const details = h('details', {}, h('summary', {}, 'As a table'));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) {
      details.append(table(...rows()));
    }
  });
  return details;
}

/** Draws all charts, as fine as the screen is, or finer, for paper. */
function draw(fineness = devicePixelRatio) {
  const look = colours();
  Chart.defaults.devicePixelRatio = fineness;
  Chart.defaults.font.family = look.font;
  Chart.defaults.font.size = 12;
  Chart.defaults.color = look.muted;
  for (const entry of plots) {
    entry.chart?.destroy();
    entry.chart = new Chart(entry.canvas, entry.config(look));
    entry.hidden.forEach(index => entry.chart.setDatasetVisibility(index, false));
    if (entry.hidden.size > 0) {
      entry.chart.update();
    }
  }
}

function options(look, {tooltip, scales, indexAxis, interaction, parsing}) {
  return {
    indexAxis,
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    normalized: true,
    parsing,
    interaction,
    scales,
    plugins: {
      legend: {display: false},
      // Hours of seconds are more than there are pixels; the extremes stay.
      decimation: {enabled: parsing === false, algorithm: 'min-max'},
      tooltip: {
        backgroundColor: look.surface,
        borderColor: look.line,
        borderWidth: 1,
        titleColor: look.text,
        bodyColor: look.text,
        padding: 10,
        boxWidth: 12,
        boxHeight: 2,
        callbacks: tooltip,
      },
    },
  };
}

function axis(look, {text, ...more}) {
  return {
    border: {color: look.line},
    grid: {color: look.grid, tickColor: look.line},
    title: {display: text !== undefined, text, color: look.muted, font: {size: 11}},
    ...more,
  };
}

function lines(look, series) {
  return series.map(one => ({
    label: one.label,
    order: one.order ?? 0,
    data: one.points,
    borderColor: look.series[one.colour] + (one.line === 'broad' ? '66' : ''),
    backgroundColor: look.series[one.colour],
    borderWidth: one.line === 'broad' ? 6 : 2,
    borderDash: DASHES[one.line ?? 'solid'],
    borderCapStyle: 'round',
    borderJoinStyle: 'round',
    pointRadius: one.points.length === 1 ? 4 : 0,
    pointHoverRadius: 4,
    tension: 0,
  }));
}

/** Lines over the seconds of a phase. */
function timePlot({title, note, series, end, y, rows}) {
  return plot({title, note, series, rows, config: look => ({
    type: 'line',
    data: {datasets: lines(look, series)},
    options: options(look, {
      parsing: false,
      interaction: {mode: 'index', intersect: false, axis: 'x'},
      tooltip: {
        title: items => (items.length > 0 ? `after ${digits(items[0].parsed.x)} s` : ''),
        label: item => ` ${item.dataset.label}: ${y.format(item.parsed.y)}`,
      },
      scales: {
        x: axis(look, {text: 'seconds', type: 'linear', min: 0, max: end, ticks: {maxRotation: 0, autoSkipPadding: 24}}),
        y: y.axis(look),
      },
    }),
  })});
}

function rateAxis(look) {
  return axis(look, {beginAtZero: true, grace: '5%', ticks: {callback: rate, maxTicksLimit: 7}});
}

function largest(series, name, least) {
  return series.flatMap(one => one.points).reduce((high, point) => Math.max(high, point[name]), least);
}

/** Logarithmic, from and to a 1, 2 or 5 that holds all; with these alone as ticks. */
function latencyAxis(series) {
  const least = series.flatMap(one => one.points).reduce((low, {y}) => (y > 0 ? Math.min(low, y) : low), 1e9);
  const most = largest(series, 'y', 1);
  const ticks = [];
  for (let decade = 1; decade <= 1e13; decade *= 10) {
    ticks.push(decade, 2 * decade, 5 * decade);
  }
  const from = ticks.findLastIndex(tick => tick <= least);
  const to = ticks.findIndex(tick => tick >= most);
  const min = ticks[Math.max(0, Math.min(from, to - 1))];
  const max = ticks[Math.max(to, 1)];
  const all = ticks.filter(tick => tick >= min && tick <= max);
  const shown = all.length <= 10 ? all : all.filter(tick => /^1/.test(String(tick)));
  return look => axis(look, {
    type: 'logarithmic',
    min,
    max,
    afterBuildTicks: scale => {
      scale.ticks = shown.map(value => ({value}));
    },
    ticks: {callback: time, autoSkip: false},
  });
}

/** How many nines a percentile has; the last value of n is at 1 - 1/n. */
function nines(percentile, count) {
  return percentile < 100 ? Math.min(-Math.log10(1 - percentile / 100), Math.log10(Math.max(count, 1)))
    : Math.log10(Math.max(count, 1));
}

function nineName(exponent) {
  return exponent < 1 ? '50 %' : exponent === 1 ? '90 %' : exponent === 2 ? '99 %' : `99.${'9'.repeat(exponent - 2)} %`;
}

/** Latency over percentiles, each nine of them as wide as the one before. */
function percentilePlot({title, note, series, rows}) {
  const last = largest(series, 'x', 1);
  const ticks = [-Math.log10(0.5), ...Array.from({length: Math.floor(last)}, (ignored, index) => index + 1)];
  const y = latencyAxis(series);
  return plot({title, note, series, rows, config: look => ({
    type: 'line',
    data: {datasets: lines(look, series)},
    options: options(look, {
      interaction: {mode: 'nearest', axis: 'x', intersect: false},
      tooltip: {
        title: items => (items.length > 0 ? `${percentileText(items[0].parsed.x)} of operations within` : ''),
        label: item => ` ${item.dataset.label}: ${time(item.parsed.y)}`,
      },
      scales: {
        x: axis(look, {
          text: 'part of the operations that took no longer',
          type: 'linear',
          min: 0,
          max: last,
          afterBuildTicks: scale => {
            scale.ticks = ticks.map(value => ({value}));
          },
          ticks: {callback: nineName, autoSkip: true, autoSkipPadding: 6, maxRotation: 0},
        }),
        y: y(look),
      },
    }),
  })});
}

function percentileText(exponent) {
  const part = 100 * (1 - 10 ** -exponent);
  return `${part.toFixed(Math.min(8, Math.max(1, Math.ceil(exponent))))} %`;
}

/** Bars, a group of them for each category; a value below 0 is one that is not known. */
function barPlot({title, note, categories, series, format}) {
  const values = {
    id: 'values',
    afterDatasetsDraw(chart) {
      const {ctx} = chart;
      ctx.save();
      ctx.font = `12px ${Chart.defaults.font.family}`;
      ctx.textBaseline = 'middle';
      ctx.fillStyle = chart.options.plugins.tooltip.bodyColor;
      chart.getSortedVisibleDatasetMetas().forEach(meta => meta.data.forEach((bar, index) => {
        const value = series[meta.index].values[index];
        ctx.fillText(value < 0 ? 'not known' : format(value), bar.x + 6, bar.y);
      }));
      ctx.restore();
    },
  };
  const most = Math.max(0, ...series.flatMap(one => one.values));
  return plot({title, note, series, low: series.length === 1, config: look => ({
    type: 'bar',
    plugins: [values],
    data: {
      labels: categories,
      datasets: series.map(one => ({
        label: one.label,
        data: one.values.map(value => Math.max(0, value)),
        backgroundColor: look.series[one.colour],
        borderRadius: 3,
        maxBarThickness: 22,
      })),
    },
    options: options(look, {
      indexAxis: 'y',
      interaction: {mode: 'nearest', axis: 'y', intersect: false},
      tooltip: {label: item => ` ${item.dataset.label}: ${format(series[item.datasetIndex].values[item.dataIndex])}`},
      scales: {
        // Room for the values behind the bars.
        x: axis(look, {beginAtZero: true, max: most === 0 ? 1 : most * 1.25, ticks: {display: false}, grid: {display: false},
          border: {display: false}}),
        y: axis(look, {grid: {display: false}, ticks: {color: look.text}}),
      },
    }),
  })});
}
