package org.onesided.tools.kvctl.rdma.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryLockCheckTest
{
    @TempDir
    private Path root;

    private FakeSystem system;

    @BeforeEach
    void setUp()
    {
        system = new FakeSystem(root);
    }

    @ParameterizedTest
    @CsvSource({
        "unlimited,unlimited,PASS,unlimited",
        "268435456,unlimited,PASS,enough for a server of 256 MiB: limit=256 MiB hard_limit=unlimited",
        "8388608,8388608,WARN,'enough for clients, too little for a server of 256 MiB: limit=8 MiB hard_limit=8 MiB'",
        "65536,65536,FAIL,too little even for a client: limit=64 KiB hard_limit=64 KiB",
        "18446744073709551614,unlimited,PASS,unlimited",
        "0,0,FAIL,too little even for a client: limit=0 bytes hard_limit=0 bytes",
    })
    void shouldCompareTheLimitWithTheNeed(
        final String soft, final String hard, final Level level, final String text)
    {
        system.lockedMemory(soft, hard);

        final Finding finding = finding("alice");

        assertEquals(level, finding.level());
        assertEquals(text, finding.text());
        assertEquals(level == Level.PASS, finding.advice().isEmpty());
    }

    @Test
    void shouldNameTheLinesToChange()
    {
        system.lockedMemory("65536", "65536");

        assertEquals(
            List.of("* - memlock unlimited", "LimitMEMLOCK=infinity",
                "docker run --ulimit memlock=-1 --cap-add IPC_LOCK ..."),
            commands(finding("alice")));
        assertEquals("root - memlock unlimited", commands(finding("root")).get(0));
    }

    @Test
    void shouldNameTheShellsCommandWhereItWouldDo()
    {
        system.lockedMemory("65536", "unlimited");
        assertEquals("ulimit -l unlimited", commands(finding("alice")).get(0));

        system.lockedMemory("65536", "1073741824");
        assertEquals("ulimit -l 1048576", commands(finding("alice")).get(0));
    }

    @Test
    void shouldNameOnlyTheContainersOptionInAContainer()
    {
        system.lockedMemory("65536", "unlimited");
        system.write("/proc/self/cgroup", "0::/kubepods/pod1\n");

        assertEquals(
            List.of("docker run --ulimit memlock=-1 --cap-add IPC_LOCK ..."), commands(finding("alice")));
    }

    @Test
    void shouldPassWithTheCapability()
    {
        system.lockedMemory("65536", "65536");
        system.write("/proc/self/status", "Name:\tjava\nCapEff:\t0000000000004000\n");

        final Finding finding = finding("alice");

        assertEquals(Level.PASS, finding.level());
        assertTrue(finding.text().contains("CAP_IPC_LOCK"), finding.text());
    }

    @Test
    void shouldNotTrustTheCapabilityOfAUserNamespace()
    {
        system.lockedMemory("65536", "65536");
        system.write("/proc/self/status", "CapEff:\t000001ffffffffff\n");
        system.write("/proc/self/uid_map", "         0       1000          1\n");

        assertEquals(Level.FAIL, finding("alice").level());
    }

    @ParameterizedTest
    @CsvSource({"many,few", "-1,1", "1e6,1"})
    void shouldSayThatALimitCannotBeRead(final String soft, final String hard)
    {
        system.lockedMemory(soft, hard);
        assertUnreadable();
    }

    @Test
    void shouldSayThatThereIsNoLimitToRead()
    {
        system.remove("/proc/self/limits");
        assertUnreadable();
    }

    private void assertUnreadable()
    {
        final Finding finding = finding("alice");
        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.text().contains("cannot be read"), finding.text());
        assertFalse(finding.text().contains("limit="), finding.text());
    }

    private Finding finding(final String user)
    {
        return new MemoryLockCheck(Host.of(system, user), 256L << 20).findings().get(0);
    }

    private static List<String> commands(final Finding finding)
    {
        return finding.advice().stream().flatMap(advice -> advice.commands().stream()).toList();
    }
}
