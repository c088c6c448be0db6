package org.onesided.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class UseCountTest
{
    private final UseCount uses = new UseCount("dealloc_pd", "the protection domain");

    @Test
    void shouldRefuseToCloseWhatIsInUse()
    {
        uses.acquire();
        final VerbsException busy = assertThrows(VerbsException.class, uses::close);
        assertEquals(Errno.EBUSY, busy.errno());
        uses.release();
        assertTrue(uses.close());
    }

    @Test
    void shouldCloseOnce()
    {
        assertTrue(uses.close());
        assertFalse(uses.close());
    }

    @Test
    void shouldRefuseToUseWhatIsClosed()
    {
        uses.close();
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, uses::acquire).errno());
    }
}
