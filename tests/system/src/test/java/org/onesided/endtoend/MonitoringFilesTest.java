package org.onesided.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.server.StoreServer;
import org.onesided.server.data.DataOptions;
import org.onesided.testing.ProjectFolder;
import org.onesided.tools.metrics.MetricsEndpoint;
import org.onesided.tools.metrics.Served;

/**
 * The dashboard for Grafana and the alerts for Prometheus in docs/deploy ask for metrics, labels and values that a
 * server has.
 */
@Timeout(300)
class MonitoringFilesTest
{
    private static final Path FILES = ProjectFolder.ROOT.resolve("docs/deploy");
    private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    /** A metric of the server, and what is asked of its labels. */
    private static final Pattern ASKED =
        Pattern.compile("\\b((?:onesided|process|jvm)_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!~|!=|=)\"([^\"]*)\"");
    private static final Pattern GROUPED = Pattern.compile("\\bby \\(([\\w, ]+)\\)");
    /** Prometheus adds these to each sample. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");
    private static final Pattern RULE = Pattern.compile("(?m)^      - alert: (\\w+)\\n        expr: (.+)$");

    /** Values of the labels of each metric. */
    private static final Map<String, Map<String, Set<String>>> METRICS = new HashMap<>();

    @BeforeAll
    static void askAServer(@TempDir final Path directory) throws Exception
    {
        final Served served = new Served();
        try (TestStore store = new TestStore(
            TestStore.options().device("shm,tcp:127.0.0.1:0").data(DataOptions.in(directory.resolve("data")))
                .measuresTimes(true));
            MetricsEndpoint endpoint = MetricsEndpoint.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), served, null);
            StoreClient client = store.client())
        {
            client.put("key", "value");
            final StoreServer server = store.server();
            served.started(server);
            final HttpResponse<String> answer = HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.address().getPort() + "/metrics"))
                    .timeout(Duration.ofSeconds(60)).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode());
            answer.body().lines().filter(line -> !line.startsWith("#")).forEach(MonitoringFilesTest::add);
        }
    }

    private static void add(final String line)
    {
        final Matcher sample = SAMPLE.matcher(line);
        assertTrue(sample.matches(), line);
        final Map<String, Set<String>> labels = METRICS.computeIfAbsent(sample.group(1), name -> new HashMap<>());
        final Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
        while (label.find())
        {
            labels.computeIfAbsent(label.group(1), name -> new HashSet<>()).add(label.group(2));
        }
    }

    @Test
    void shouldShowMetricsThatExist() throws IOException
    {
        final JsonNode dashboard = new ObjectMapper().readTree(FILES.resolve("grafana-dashboard.json").toFile());
        final Set<Integer> ids = new HashSet<>();
        final List<String> expressions = new ArrayList<>();
        for (final JsonNode panel : dashboard.get("panels"))
        {
            assertTrue(ids.add(panel.get("id").asInt()), "an id of its own: " + panel);
            final JsonNode place = panel.get("gridPos");
            assertTrue(place.get("x").asInt() + place.get("w").asInt() <= 24, panel.toString());
            if (!"row".equals(panel.get("type").asText()))
            {
                assertTrue(!panel.get("title").asText().isEmpty() && panel.get("targets").size() > 0, panel.toString());
                panel.get("targets").forEach(target ->
                {
                    expressions.add(target.get("expr").asText());
                    checkLegend(target.get("legendFormat").asText(), target.get("expr").asText());
                });
            }
        }
        dashboard.get("templating").get("list").forEach(variable -> expressions.add(variable.get("query").asText()));
        assertTrue(expressions.size() > 30, "expressions: " + expressions.size());
        expressions.forEach(MonitoringFilesTest::check);
    }

    /** What the legend names survives the aggregation. */
    private static void checkLegend(final String legend, final String expression)
    {
        final Matcher named = Pattern.compile("\\{\\{(\\w+)}}").matcher(legend);
        while (named.find())
        {
            final Matcher grouped = GROUPED.matcher(expression);
            assertTrue(!grouped.find() || List.of(grouped.group(1).split(", ")).contains(named.group(1)), expression);
        }
    }

    @Test
    void shouldAlertByMetricsThatExist() throws IOException
    {
        final String rules = Files.readString(FILES.resolve("prometheus-rules.yml"));
        final Matcher rule = RULE.matcher(rules);
        final Set<String> names = new HashSet<>();
        while (rule.find())
        {
            assertTrue(names.add(rule.group(1)), "a name of its own: " + rule.group(1));
            if (!rule.group(2).startsWith("up{"))
            {
                check(rule.group(2));
            }
            checkText(rules.substring(rule.end()).split("\n      - alert: ", 2)[0], rule.group(2));
        }
        assertEquals(Pattern.compile("- alert:").matcher(rules).results().count(), names.size());
        assertTrue(names.size() > 10, names.toString());
    }

    /** Each alert says what happened and what to do, with labels that are there. */
    private static void checkText(final String text, final String expression)
    {
        assertTrue(
            text.contains("severity: ") && text.contains("summary: \"") && text.contains("description: \""), text);
        final Matcher label = Pattern.compile("\\$labels\\.(\\w+)").matcher(text);
        while (label.find())
        {
            final Matcher grouped = GROUPED.matcher(expression);
            final boolean isGrouped = grouped.find();
            assertTrue(OF_PROMETHEUS.contains(label.group(1)) && !isGrouped ||
                (isGrouped ? List.of(grouped.group(1).split(", ")).contains(label.group(1)) :
                    labels(expression).contains(label.group(1))), label.group(1) + " in: " + expression);
        }
        final Matcher metric = ASKED.matcher(text);
        while (metric.find())
        {
            assertNotNull(METRICS.get(metric.group(1)), metric.group(1));
        }
    }

    private static Set<String> labels(final String expression)
    {
        final Matcher asked = ASKED.matcher(expression);
        assertTrue(asked.find(), expression);
        return METRICS.get(asked.group(1)).keySet();
    }

    private static void check(final String expression)
    {
        final Set<String> known = new HashSet<>(OF_PROMETHEUS);
        final Matcher asked = ASKED.matcher(expression);
        int count = 0;
        while (asked.find())
        {
            count++;
            final Map<String, Set<String>> labels = METRICS.get(asked.group(1));
            assertNotNull(labels, asked.group(1) + " in: " + expression);
            known.addAll(labels.keySet());
            final Matcher matcher = MATCHER.matcher(asked.group(2) == null ? "" : asked.group(2));
            while (matcher.find())
            {
                if (!OF_PROMETHEUS.contains(matcher.group(1)))
                {
                    assertNotNull(labels.get(matcher.group(1)), matcher.group(1) + " in: " + expression);
                    for (final String value : matcher.group(3).split("\\|"))
                    {
                        assertTrue(labels.get(matcher.group(1)).contains(value), value + " in: " + expression);
                    }
                }
            }
        }
        assertTrue(count > 0 || !expression.contains("_"), expression);
        final Matcher grouped = GROUPED.matcher(expression);
        while (grouped.find())
        {
            for (final String label : grouped.group(1).split(", "))
            {
                assertTrue(known.contains(label), label + " in: " + expression);
            }
        }
    }
}
