package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostFactsTest
{
    private static final List<String> UNPRIVILEGED = List.of("Name:\tjava", "CapEff:\t0000000000000000");
    private static final List<String> LIMITED = List.of(
        "Limit                     Soft Limit           Hard Limit           Units     ",
        "Max processes             31337                31337                processes ",
        "Max locked memory         65536                8388608              bytes     ");

    @TempDir
    Path directory;

    @Test
    void shouldTellTheSoftLimit()
    {
        assertEquals(65_536, HostFacts.lockableMemory(LIMITED, UNPRIVILEGED));
    }

    @Test
    void shouldTellThatThereIsNoLimit()
    {
        final List<String> unlimited =
            List.of("Max locked memory         unlimited            unlimited            bytes     ");
        assertEquals(HostFacts.UNLIMITED, HostFacts.lockableMemory(unlimited, UNPRIVILEGED));
        final List<String> huge =
            List.of("Max locked memory         18446744073709551000 18446744073709551000 bytes     ");
        assertEquals(HostFacts.UNLIMITED, HostFacts.lockableMemory(huge, UNPRIVILEGED));
        assertEquals(HostFacts.UNLIMITED, HostFacts.lockableMemory(List.of(), List.of()));
    }

    @Test
    void shouldTellThatTheLimitDoesNotHoldForAPrivilegedProcess()
    {
        assertEquals(HostFacts.UNLIMITED, HostFacts.lockableMemory(LIMITED, List.of("CapEff:\t000001ffffffffff")));
        assertEquals(HostFacts.UNLIMITED, HostFacts.lockableMemory(LIMITED, List.of("CapEff:\t0000000000004000")));
        assertEquals(65_536, HostFacts.lockableMemory(LIMITED, List.of("CapEff:\t000001ffffffbfff")));
    }

    @Test
    void shouldTellWhatIsLockedForDevices()
    {
        assertEquals(12_288, HostFacts.pinnedMemory(List.of("VmLck:\t       8 kB", "VmPin:\t      12 kB")));
        assertEquals(0, HostFacts.pinnedMemory(List.of("VmPin:\t many")));
        assertEquals(0, HostFacts.pinnedMemory(List.of()));
        assertTrue(HostFacts.pinnedMemory() >= 0);
    }

    @Test
    void shouldTellWhichGroupMayUseAFile() throws Exception
    {
        final Path file = Files.createFile(directory.resolve("uverbs0"));
        final String group = Files.readAttributes(file, PosixFileAttributes.class).group().getName();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        assertEquals("root".equals(group) ? "" : group, HostFacts.groupThatMayUse(file));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertEquals("", HostFacts.groupThatMayUse(file));
        assertEquals("", HostFacts.groupThatMayUse(directory.resolve("none")));
    }

    @Test
    void shouldTellModeAndOwnerOfAFile() throws Exception
    {
        final Path file = Files.createFile(directory.resolve("uverbs0"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        final String access = HostFacts.access(file);
        final String owner = Files.getOwner(file).getName();
        assertTrue(access.startsWith("mode=rw-r----- owner=" + owner + ":"), access);
        assertTrue(access.endsWith(" user=" + System.getProperty("user.name")), access);
        assertTrue(HostFacts.access(directory.resolve("none")).startsWith("mode=unknown "));
    }
}
