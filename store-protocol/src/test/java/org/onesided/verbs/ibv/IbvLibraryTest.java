package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

    @Test
    void shouldRefuseALibraryThatLacksAFunction()
    {
        // Any library will do.
        IbvLibrary.checkVersion("libc.so.6", "poll");
        final VerbsException old = assertThrows(
            VerbsException.class, () -> IbvLibrary.checkVersion("libc.so.6", "a_function_of_later"));
        assertEquals(Errno.ENODEV, old.errno());
        assertTrue(old.getMessage().contains("rdma-core 28"), old.getMessage());
        assertTrue(old.getMessage().endsWith("library=libc.so.6 function=a_function_of_later"), old.getMessage());
    }

    @Test
    void shouldLoadTheLibraryWhereItIs()
    {
        IbvLibrary library = null;
        try
        {
            library = IbvLibrary.load();
        }
        catch (final VerbsException ex)
        {
            assumeTrue(false, "skipped, there is no verbs library: " + ex.getMessage());
        }
        assertSame(library, IbvLibrary.load());
    }
}
