package org.onesided.protocol.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.BindException;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortBlocksTest
{
    private static final int MORE_THAN_A_BLOCK = 250;

    /** Nobody listens on it yet, so that another process could not see that it is given. */
    @Test
    void shouldHaveEachPortForThisProcess() throws Exception
    {
        for (int i = 0; i < MORE_THAN_A_BLOCK; i++)
        {
            final int port = FreePorts.take();
            assertNotEquals(port, FreePorts.claimOf(port));
            assertThrows(BindException.class, () -> new ServerSocket(FreePorts.claimOf(port)).close());
        }
    }

    @Test
    void shouldGiveNoPortTwice()
    {
        final Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < MORE_THAN_A_BLOCK; i++)
        {
            ports.add(FreePorts.take());
        }
        assertEquals(MORE_THAN_A_BLOCK, ports.size());
    }
}
