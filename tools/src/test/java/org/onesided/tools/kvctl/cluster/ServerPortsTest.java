package org.onesided.tools.kvctl.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServerPortsTest
{
    private static final Path GIVEN_BY_SYSTEM = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int COUNT = 6;

    @Test
    void shouldChooseNoneThatTheSystemGivesToOthers() throws IOException
    {
        assumeTrue(Files.isReadable(GIVEN_BY_SYSTEM));
        // By lines: numbers of the kernel come with the first read only, and that of Files.readString is of one byte.
        final int begin = Integer.parseInt(Files.readAllLines(GIVEN_BY_SYSTEM).get(0).strip().split("\\s+")[0]);
        // Somebody has changed it.
        assumeTrue(begin >= ServerPorts.END);
        final List<Integer> ports = ServerPorts.choose(COUNT);
        assertEquals(COUNT, Set.copyOf(ports).size());
        assertTrue(ports.stream().allMatch((port) -> port >= ServerPorts.BEGIN && port < begin), ports.toString());
    }

    @Test
    void shouldPassOverPortsOnWhichSomebodyListens() throws IOException
    {
        final int taken = ServerPorts.choose(1).get(0);
        try (ServerSocket socket = new ServerSocket(taken, 1, InetAddress.getLoopbackAddress()))
        {
            assertFalse(ServerPorts.choose(taken, COUNT).contains(socket.getLocalPort()));
        }
    }
}
