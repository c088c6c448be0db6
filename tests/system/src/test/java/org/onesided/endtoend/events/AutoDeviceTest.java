package org.onesided.endtoend.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onesided.client.StoreClient;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.server.ServerOptions;
import org.onesided.server.StoreServer;
import org.onesided.verbs.VerbsException;

/**
 * A client that may choose its device goes by the server's.
 */
@Timeout(300)
class AutoDeviceTest
{
    private final ScriptedDevice better = ScriptedDevice.anew("better");

    @AfterEach
    void preferNothing()
    {
        ScriptedDevice.prefer(null);
    }

    @Test
    void shouldTakeTheBestDeviceOnBothSides()
    {
        ScriptedDevice.prefer(better);
        try (StoreServer server = server("auto"); StoreClient client = client(server, "auto"))
        {
            assertEquals("scripted:better", server.device());
            assertEquals("scripted:better", client.server().device());
            client.put("key", "value");
            assertEquals("value", client.get("key"));
        }
    }

    @Test
    void shouldGoByTheServersDeviceWhereThatIsNotTheBest()
    {
        ScriptedDevice.prefer(better);
        try (StoreServer server = server("shm"); StoreClient client = client(server, "auto"))
        {
            assertEquals("shm", client.server().device());
            client.put("key", "value");
            assertEquals("value", client.get("key"));
        }
    }

    @Test
    void shouldPassOverADeviceWhosePortIsDown()
    {
        ScriptedDevice.prefer(better);
        better.losePortSilently();
        try (StoreServer server = server("auto"))
        {
            assertTrue(server.device().equals("shm") || server.device().startsWith("ibv"), server.device());
        }
    }

    @Test
    void shouldRefuseAServerWhoseDeviceAnswersNoReads()
    {
        ScriptedDevice.anew("server").answerNoReads();
        try (StoreServer server = server("scripted:server"))
        {
            final StoreConnectException refused =
                assertThrows(StoreConnectException.class, () -> client(server, "scripted:client").close());
            assertTrue(refused.getMessage().contains("server_max_qp_rd_atom=0"), refused.getMessage());
        }
    }

    @Test
    void shouldLeaveNothingOpenWhereTheDeviceCannotBeWatched()
    {
        final ScriptedDevice client = ScriptedDevice.anew("client");
        client.forbidWatch();
        try (StoreServer server = server("scripted:server"))
        {
            assertThrows(OutOfMemoryError.class, () -> client(server, "scripted:client").close());
            assertEquals(2, client.closed(), "protection domain and context");
            final String thread = "onesided-life-line";
            assertTrue(Thread.getAllStackTraces().keySet().stream()
                .noneMatch((each) -> each.getName().equals(thread)), thread);
        }
        finally
        {
            ScriptedDevice.anew("client");
        }
    }

    @Test
    void shouldPassOverADeviceThatCannotHaveTheServersMemory()
    {
        ScriptedDevice.prefer(better);
        better.registerNothing();
        try (StoreServer server = server("auto"))
        {
            assertTrue(server.device().equals("shm") || server.device().startsWith("ibv"), server.device());
            assertEquals(2, better.closed(), "protection domain and context");
        }
        final VerbsException named = assertThrows(VerbsException.class, () -> server("scripted:better").close());
        assertEquals("reg_mr: ENOMEM: more than may be locked", named.getMessage());
    }

    @Test
    void shouldNameTheDevicesOfBothSidesWhereTheyHaveNoneInCommon()
    {
        try (StoreServer server = server("scripted:server"))
        {
            final StoreConnectException named =
                assertThrows(StoreConnectException.class, () -> client(server, "shm").close());
            assertTrue(named.getMessage().contains("this server offers scripted:server, not the client's shm"),
                named.getMessage());
            final StoreConnectException auto =
                assertThrows(StoreConnectException.class, () -> client(server, "auto").close());
            assertTrue(auto.getMessage().contains("shm: the server offers [scripted:server]"), auto.getMessage());
            final StoreConnectException several =
                assertThrows(StoreConnectException.class, () -> client(server, "shm,ibv").close());
            assertTrue(several.getMessage().contains("shm: the server offers [scripted:server]; ibv: the server"),
                several.getMessage());
        }
    }

    private static StoreServer server(final String device)
    {
        return StoreServer.start(new ServerOptions().listenPort(0).memory(16 << 20).device(device));
    }

    private static StoreClient client(final StoreServer server, final String device)
    {
        return StoreClient.builder().server("127.0.0.1:" + server.address().getPort()).device(device).build();
    }
}
