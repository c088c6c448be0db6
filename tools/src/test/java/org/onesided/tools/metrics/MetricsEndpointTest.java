package org.onesided.tools.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.client.StoreClient;
import org.onesided.protocol.bootstrap.TokenFiles;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.tools.DocumentedTable;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MetricsEndpointTest
{
    /** More than threads that serve, fewer than files that a process may have open. */
    private static final int HOSTILE_CLIENTS = 100;

    /** Half a request, nonsense, a body that does not come, and nothing at all. */
    private static final List<String> BEGINNINGS = List.of(
        "GET /metrics HTTP/1.1\r\nX", "\0\0nonsense", "POST /metrics HTTP/1.1\r\nContent-Length: 9\r\n\r\n", "");

    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void shouldDocumentEachMetric() throws Exception
    {
        try (StoreServer server = start("shm,tcp:127.0.0.1:0");
            StoreClient client = StoreClient.builder()
                .server("127.0.0.1:" + server.address().getPort()).device("shm").build())
        {
            client.put("of", "somebody");
            while (server.sessionCount() == 0)
            {
                Thread.yield();
            }
            final StringBuilder table = new StringBuilder("| metric | kind | labels | |\n|---|---|---|---|\n");
            ServerFamilies.of(server.metrics()).stream()
                .sorted(Comparator.comparing((family) -> family.getMetadata().getName()))
                .filter((family) -> family.getMetadata().getName().startsWith("onesided_"))
                .forEach((family) -> table.append(row(family)));
            DocumentedTable.in(Path.of("..", "docs", "running.md"), "metrics").assertIs(table.toString());
        }
    }

    @Test
    void shouldCountWhatPeersOfADeviceDidWrong() throws Exception
    {
        try (StoreServer server = start("tcp:127.0.0.1:0"))
        {
            final Map<String, Long> before = server.metrics().deviceFaults().get("tcp");
            assertEquals(Set.of(0L), Set.copyOf(before.values()));
            final String device = server.device();
            try (Socket stranger = new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(device.substring(device.lastIndexOf(':') + 1))))
            {
                stranger.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
                while (server.metrics().deviceFaults().get("tcp").get("start_garbage") == 0)
                {
                    Thread.yield();
                }
            }
            final String text = ServerFamilies.of(server.metrics()).stream()
                .filter((family) -> family.getMetadata().getName().equals("onesided_device_faults"))
                .flatMap((family) -> ((CounterSnapshot)family).getDataPoints().stream())
                .map((point) -> point.getLabels().get("device") + " " + point.getLabels().get("reason") + " " +
                    (long)point.getValue())
                .filter((line) -> line.startsWith("tcp crc ") || line.startsWith("tcp start_garbage "))
                .collect(Collectors.joining("\n"));
            assertEquals("tcp crc 0\ntcp start_garbage 1", text);
        }
    }

    @Test
    void shouldTellWhatTheServerHasDone() throws Exception
    {
        final Served served = new Served();
        try (StoreServer server = start(); MetricsEndpoint endpoint = serve(served))
        {
            served.started(server);
            try (StoreClient client = StoreClient.builder()
                .server("127.0.0.1:" + server.address().getPort()).device("shm").build())
            {
                client.put("a", "1");
                client.put("a", "2");
                client.put("large", "x".repeat(100_000));
                client.delete("a");
                client.get("large");
            }
            // The client's last report comes with its goodbye, which the acceptor reads when it pleases.
            String metrics = get(endpoint, "/metrics", null).body();
            while (!metrics.contains("onesided_client_puts_total 3.0\n") ||
                !metrics.contains("onesided_sessions{device=\"shm\"} 0.0\n"))
            {
                Thread.sleep(5);
                metrics = get(endpoint, "/metrics", null).body();
            }

            for (final String line : List.of(
                "# TYPE onesided_requests_total counter",
                "onesided_requests_total{kind=\"put\",shard=\"0\"} 2.0",
                "onesided_requests_total{kind=\"put_large\",shard=\"0\"} 1.0",
                "onesided_requests_total{kind=\"delete\",shard=\"0\"} 1.0",
                "onesided_requests_total{kind=\"get\",shard=\"0\"} 0.0",
                "onesided_pulled_bytes_total{shard=\"0\"} 100000.0",
                "onesided_puts_in_place_total{shard=\"0\"} 1.0",
                "onesided_records{shard=\"0\"} 1.0",
                "onesided_connections{device=\"shm\",shard=\"0\"} 0.0",
                "onesided_pulls{shard=\"0\"} 0.0",
                "onesided_pull_bytes{shard=\"0\"} 0.0",
                "onesided_waiting_requests{shard=\"0\"} 0.0",
                "onesided_refusals_total{reason=\"store_full\",shard=\"0\"} 0.0",
                "onesided_client_gets_total{result=\"hit\"} 1.0",
                "onesided_sessions_opened_total 1.0",
                "onesided_handshakes_refused_total{reason=\"sessions_per_address\"} 0.0",
                "onesided_request_duration_seconds_count{kind=\"put\",shard=\"0\"} 2",
                "onesided_request_duration_seconds_bucket{kind=\"put_large\",shard=\"0\",le=\"+Inf\"} 1"))
            {
                assertTrue(metrics.contains(line + "\n"), "expected: " + line + " in:\n" + metrics);
            }
        }
    }

    @Test
    void shouldSpeakBothFormats() throws Exception
    {
        final Served served = new Served();
        try (StoreServer server = start(); MetricsEndpoint endpoint = serve(served))
        {
            served.started(server);

            final HttpResponse<String> plain = get(endpoint, "/metrics", null);
            assertEquals("text/plain; version=0.0.4; charset=utf-8", plain.headers().firstValue("content-type").get());
            final HttpResponse<String> open = get(endpoint, "/metrics", "application/openmetrics-text; version=1.0.0");
            assertTrue(open.headers().firstValue("content-type").get().startsWith("application/openmetrics-text"));
            assertTrue(open.body().endsWith("# EOF\n"));
            assertTrue(!plain.body().contains("# EOF"));
        }
    }

    @Test
    void shouldTellHowTheServerIs() throws Exception
    {
        final Served served = new Served();
        try (MetricsEndpoint endpoint = serve(served))
        {
            assertAnswer(503, "starting\n", endpoint, "/health");
            assertAnswer(503, "starting\n", endpoint, "/metrics");
            served.unavailable(() -> "starting: preparing 1 GiB, 42 %");
            assertAnswer(503, "starting: preparing 1 GiB, 42 %\n", endpoint, "/health");
            try (StoreServer server = start())
            {
                served.started(server);
                assertAnswer(200, "ready\n", endpoint, "/health");
            }
            assertAnswer(503, "stopping\n", endpoint, "/health");
            assertEquals(200, get(endpoint, "/metrics", null).statusCode());
            served.unavailable(() -> "starting: anew");
            assertAnswer(503, "starting: anew\n", endpoint, "/health");
            assertAnswer(503, "starting\n", endpoint, "/metrics");
            assertAnswer(404, "there are /, /metrics and /health\n", endpoint, "/metrics/more");
        }
    }

    @Test
    void shouldOnlyBeRead() throws Exception
    {
        try (MetricsEndpoint endpoint = serve(new Served()))
        {
            final HttpRequest.Builder request =
                HttpRequest.newBuilder(uri(endpoint, "/health")).timeout(LONGEST_ANSWER);
            assertEquals(405, http.send(request.POST(HttpRequest.BodyPublishers.ofString("x")).build(),
                HttpResponse.BodyHandlers.ofString()).statusCode());
            final HttpResponse<String> head = http.send(
                request.method("HEAD", HttpRequest.BodyPublishers.noBody()).build(),
                HttpResponse.BodyHandlers.ofString());
            assertEquals(503, head.statusCode());
            assertEquals("", head.body());
        }
    }

    @Tag("full")
    @Test
    void shouldCutOffThoseWhoNeverEndTheirRequests() throws Exception
    {
        final Served served = new Served();
        final List<Socket> hostile = new ArrayList<>();
        try (StoreServer server = start(); MetricsEndpoint endpoint = serve(served))
        {
            served.started(server);
            for (int i = 0; i < HOSTILE_CLIENTS; i++)
            {
                final Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.address().getPort());
                hostile.add(socket);
                socket.getOutputStream().write(BEGINNINGS.get(i % BEGINNINGS.size()).getBytes(UTF_8));
            }
            // Meanwhile the store serves.
            try (StoreClient client = StoreClient.builder()
                .server("127.0.0.1:" + server.address().getPort()).device("shm").build())
            {
                client.put("a", "1");
                assertEquals("1", client.get("a"));
            }
            assertTrue(Thread.getAllStackTraces().keySet().stream()
                .filter((thread) -> thread.getName().startsWith("store-metrics-")).count() <= 8);

            // And some time after, the pages are there again, while the clients still hold their ends.
            while (!isReady(endpoint))
            {
                Thread.sleep(5);
            }
        }
        finally
        {
            for (final Socket socket : hostile)
            {
                socket.close();
            }
        }
    }

    @Test
    void shouldShowMetricsToThoseWithTheTokenOnly(@TempDir final Path directory) throws Exception
    {
        final Path file = Files.writeString(directory.resolve("token"), "sesame\n");
        final Served served = new Served();
        try (StoreServer server = start();
            MetricsEndpoint endpoint = MetricsEndpoint.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), served,
                TokenFiles.load(null, file, null, null)))
        {
            served.started(server);
            for (final String wrong : Arrays.asList(
                null, "", "Bearer", "Bearer ", "Bearer sesam", "bearer sesame2", "Digest sesame", "Basic sesame",
                "Basic !", basic("user:other"), basic("sesame:"), "Bearer " + "x".repeat(20_000)))
            {
                final HttpResponse<String> refused = authorized(endpoint, wrong);
                assertTrue(refused.statusCode() == 401 || refused.statusCode() == 431, wrong);
                assertFalse(refused.body().contains("onesided_"), refused.body());
            }
            assertEquals("Basic realm=\"onesided\", charset=\"UTF-8\"",
                authorized(endpoint, null).headers().firstValue("WWW-Authenticate").orElseThrow());
            assertEquals(200, authorized(endpoint, "Bearer sesame").statusCode());
            assertEquals(200, authorized(endpoint, basic("anybody:sesame")).statusCode());
            assertAnswer(200, "ready\n", endpoint, "/health");

            // Another token takes the place of the first.
            Files.writeString(file, "other-token\n");
            assertEquals(401, authorized(endpoint, "Bearer sesame").statusCode());
            assertEquals(200, authorized(endpoint, "Bearer other-token").statusCode());
        }
    }

    private static String basic(final String text)
    {
        return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private HttpResponse<String> authorized(final MetricsEndpoint endpoint, final String header)
        throws IOException, InterruptedException
    {
        final HttpRequest.Builder request = HttpRequest.newBuilder(uri(endpoint, "/metrics")).timeout(LONGEST_ANSWER);
        if (header != null)
        {
            request.header("Authorization", header);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private boolean isReady(final MetricsEndpoint endpoint) throws InterruptedException
    {
        try
        {
            return get(endpoint, "/health", null).statusCode() == 200;
        }
        catch (final IOException e)
        {
            // Turned away.
            return false;
        }
    }

    private static String row(final MetricSnapshot family)
    {
        final boolean isCounter = family instanceof CounterSnapshot;
        final String kind = isCounter ? "counter" : family instanceof HistogramSnapshot ? "histogram" : "gauge";
        final String labels = family.getDataPoints().stream()
            .flatMap((point) -> point.getLabels().stream())
            .map((label) -> "`" + label.getName() + "`")
            .distinct().sorted().collect(Collectors.joining(", "));
        return "| `" + family.getMetadata().getName() + (isCounter ? "_total" : "") + "` | " + kind + " | " + labels +
            " | " + family.getMetadata().getHelp() + " |\n";
    }

    private void assertAnswer(
        final int status, final String body, final MetricsEndpoint endpoint, final String path) throws Exception
    {
        final HttpResponse<String> answer = get(endpoint, path, null);
        assertEquals(body, answer.body());
        assertEquals(status, answer.statusCode());
    }

    private HttpResponse<String> get(final MetricsEndpoint endpoint, final String path, final String accept)
        throws IOException, InterruptedException
    {
        final HttpRequest.Builder request = HttpRequest.newBuilder(uri(endpoint, path)).timeout(LONGEST_ANSWER);
        if (accept != null)
        {
            request.header("Accept", accept);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(final MetricsEndpoint endpoint, final String path)
    {
        return URI.create("http://127.0.0.1:" + endpoint.address().getPort() + path);
    }

    private static MetricsEndpoint serve(final Served served) throws IOException
    {
        return MetricsEndpoint.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), served, null);
    }

    private static StoreServer start()
    {
        return start("shm");
    }

    private static StoreServer start(final String device)
    {
        return StoreServer.start(new ServerOptions()
            .listenPort(0).device(device).memory(16 << 20).shards(1).measuresTimes(true));
    }
}
