package org.onesided.tools.kvctl.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;

@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerReportsTest
{
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void shouldSayHowFarAStartIs() throws Exception
    {
        try (ServerReports reports = ServerReports.open(new ListenAddress("127.0.0.1", 0), null, null))
        {
            assertEquals("503 starting\n", health(reports));
            reports.blank();
            assertEquals("503 blank: waits until kvctl cluster create or add makes it a member\n", health(reports));

            final StartNotice notice = new StartNotice(64 << 20, () -> -1);
            reports.starting(notice);
            assertEquals("503 starting: preparing 64 MiB\n", health(reports));
            notice.onReadBack(100, 400);
            assertEquals("503 starting: reading the table back, 25 %\n", health(reports));

            try (StoreServer server = StoreServer.start(new ServerOptions()
                .listenPort(0).memory(16 << 20).device("shm")))
            {
                reports.ready(server, "ready: somewhere");
                assertEquals("200 ready\n", health(reports));
            }
            assertEquals("503 stopping\n", health(reports));
            reports.starting(new StartNotice(32 << 20, () -> -1));
            assertEquals("503 starting: preparing 32 MiB\n", health(reports));
        }
    }

    @Test
    void shouldServeNoMetricsUnlessAskedFor()
    {
        try (ServerReports reports = ServerReports.open(null, null, ""))
        {
            assertNull(reports.metrics());
            assertFalse(reports.isExposed());
            reports.blank();
        }
    }

    private String health(final ServerReports reports) throws Exception
    {
        final HttpResponse<String> answer = http.send(
            HttpRequest.newBuilder(URI.create("http://" + reports.metrics() + "/health")).build(),
            HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }
}
