package org.onesided.server.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SessionKeyTest
{
    private static SessionKey key(final int first)
    {
        final byte[] bytes = new byte[SessionKey.LENGTH];
        bytes[0] = (byte)first;
        return new SessionKey(bytes);
    }

    @Test
    void shouldGiveTheSameSecretAgain()
    {
        assertArrayEquals(key(1).secret(5, "name", "shm"), key(1).secret(5, "name", "shm"));
        assertEquals(2, key(1).secret(5, "name", "shm").length);
        // HMAC-SHA256 by another implementation: it must not change, or no session is resumed after an update.
        assertArrayEquals(new long[]{0x7688_3946_EE5A_5280L, 0x1388_BC05_2A45_CE72L}, key(1).secret(5, "name", "shm"));
    }

    @Test
    void shouldGiveOthersToOtherSessionsClientsAndDevices()
    {
        final Set<String> secrets = new HashSet<>();
        for (final int key : new int[]{1, 2})
        {
            for (final long session : new long[]{5, 6, 5L << 32})
            {
                for (final String[] names : new String[][]{{"a", "bc"}, {"ab", "c"}, {"", "abc"}, {"abc", ""}})
                {
                    secrets.add(Arrays.toString(key(key).secret(session, names[0], names[1])));
                }
            }
        }
        assertEquals(24, secrets.size());
    }

    @Test
    void shouldDrawKeysThatDiffer()
    {
        assertNotEquals(SessionKey.draw(), SessionKey.draw());
        assertEquals(key(1), key(1));
        assertEquals(key(1).hashCode(), key(1).hashCode());
    }

    @Test
    void shouldNotTellTheKey()
    {
        final TableIdentity identity = TableIdentity.draw();
        final String text = identity.toString() + identity.sessionKey();
        assertTrue(text.contains("sessionKey=SessionKey]") && text.endsWith("SessionKey"), text);
        final byte[] copy = identity.sessionKey().bytes();
        copy[0]++;
        assertNotEquals(copy[0], identity.sessionKey().bytes()[0]);
    }

    @Test
    void shouldRefuseAKeyOfAnotherLength()
    {
        assertThrows(IllegalArgumentException.class, () -> new SessionKey(new byte[31]));
    }
}
