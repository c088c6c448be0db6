package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

class IbvLibraryTest
{
    @Test
    void shouldNameThePackageThatIsMissing()
    {
        final VerbsException missing =
            assertThrows(VerbsException.class, () -> IbvLibrary.load("libnothing-of-that-name.so.1"));
        assertEquals(Errno.ENODEV, missing.errno());
        assertTrue(missing.getMessage().contains("install the package libibverbs1"), missing.getMessage());
        assertTrue(missing.getMessage().endsWith("library=libnothing-of-that-name.so.1"), missing.getMessage());
    }
}
