package org.onesided.endtoend.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.protocol.bootstrap.FreePorts;
import org.onesided.testing.DatagramReceiver;
import org.onesided.verbs.UnixDatagrams;

/**
 * What a server tells the service manager, and those who ask for its health, from its start to its end.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServiceNoticeTest
{
    private static final String NOTIFY_SOCKET = "NOTIFY_SOCKET";

    @TempDir
    private Path folder;

    @Test
    void shouldTellTheServiceManagerWhenItIsReadyAndWhenItStops() throws Exception
    {
        final String address = folder.resolve("notify").toString();
        try (DatagramReceiver manager = DatagramReceiver.at(address))
        {
            final KvctlServer server = KvctlServer.start(KvctlCall.of(
                "server", "--listen", "127.0.0.1:0", "--memory", "64m", "--device", "shm")
                .with(NOTIFY_SOCKET, address));

            final List<String> started = manager.receiveUntil(message -> message.startsWith("READY=1\n"));
            assertEquals("READY=1\nSTATUS=" + server.readyLine() + "\n", started.get(started.size() - 1));
            assertTrue(started.size() > 1, started.toString());
            started.subList(0, started.size() - 1).forEach(each ->
                assertTrue(each.matches("STATUS=starting: preparing 64 MiB(, \\d+ %)?\n"), each));

            server.signal("TERM");
            assertEquals("STOPPING=1\nSTATUS=stopping\n", manager.receive());
            assertEquals(0, server.await(), server.log());
            assertFalse(server.log().contains("service manager"), server.log());
        }
    }

    @Test
    void shouldSayNothingMoreOnceItIsToldToStopWhileItStarts() throws Exception
    {
        final String address = folder.resolve("notify").toString();
        try (DatagramReceiver manager = DatagramReceiver.at(address))
        {
            final Process server = KvctlCall.of("server", "--listen", "127.0.0.1:0", "--memory", "1g",
                "--memory-initial", "1g", "--device", "shm").with(NOTIFY_SOCKET, address).start();
            try
            {
                manager.receiveUntil(message -> message.startsWith("STATUS=starting: "));
                server.toHandle().destroy();
                manager.receiveUntil("STOPPING=1\nSTATUS=stopping\n"::equals);
                assertEquals(0, server.waitFor());
                assertEquals(0, UnixDatagrams.system().send(address, "last".getBytes(UTF_8), 60_000));
                assertEquals("last", manager.receive());
            }
            finally
            {
                server.destroyForcibly();
            }
        }
    }

    @Test
    void shouldServeWhereTheServiceManagerCannotBeTold() throws Exception
    {
        try (KvctlServer server = KvctlServer.start(KvctlCall.of(
            "server", "--listen", "127.0.0.1:0", "--memory", "64m", "--device", "shm")
            .with(NOTIFY_SOCKET, folder.resolve("none").toString())))
        {
            KvctlCall.of("put", "k", "v").to(server).run().assertDone();
            final List<String> warnings =
                server.log().lines().filter(line -> line.contains("service manager cannot be told")).toList();
            assertEquals(1, warnings.size(), server.log());
            assertTrue(warnings.get(0).endsWith(": NOTIFY_SOCKET=" + folder.resolve("none") + " cause=ENOENT"),
                server.log());
        }
    }

    @Test
    void shouldBeUpButNotHealthyWhileItIsBlank() throws Exception
    {
        final String address = "@onesided-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        final int metrics = FreePorts.take();
        final int peer = FreePorts.take();
        final Process server;
        try (DatagramReceiver manager = DatagramReceiver.at(address))
        {
            server = KvctlCall.of("server", "--listen", "127.0.0.1:" + FreePorts.take(), "--memory", "64m", "--device",
                "shm", "--data", folder.resolve("data").toString(), "--peer-listen", "127.0.0.1:" + peer,
                "--metrics", "" + metrics).with(NOTIFY_SOCKET, address).start();
            try (BufferedReader output = new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8)))
            {
                final String line = output.readLine();
                assertTrue(line != null && line.startsWith("blank: "), line);
                final String blank = "blank: waits until kvctl cluster create or add makes it a member\n";
                assertEquals("READY=1\nSTATUS=" + blank, manager.receive());
                final HttpResponse<String> health = health(metrics);
                assertEquals(503, health.statusCode());
                assertEquals(blank, health.body());

                server.toHandle().destroy();
                assertEquals("STOPPING=1\nSTATUS=stopping\n", manager.receive());
                assertEquals(0, server.waitFor());
            }
            finally
            {
                server.destroyForcibly();
            }
        }
    }

    private static HttpResponse<String> health(final int port) throws Exception
    {
        return HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health")).build(),
            HttpResponse.BodyHandlers.ofString());
    }
}
