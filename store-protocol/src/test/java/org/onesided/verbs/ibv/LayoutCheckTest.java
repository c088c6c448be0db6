package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

class LayoutCheckTest
{
    private final FakeLibrary fake = new FakeLibrary();

    @TempDir
    Path root;

    @AfterEach
    void end()
    {
        fake.close();
    }

    @Test
    void shouldAcceptWhatIsAsItShouldBe()
    {
        LayoutCheck.device(fake.device(), FakeLibrary.NAME, Sysfs.KERNEL);
        LayoutCheck.context(fake.context(), fake.device(), Sysfs.KERNEL);
    }

    @Test
    void shouldRefuseADeviceWithAnotherName()
    {
        assertRefused("ibv_device.name",
            () -> LayoutCheck.device(fake.device(), FakeLibrary.NAME + "1", Sysfs.KERNEL));
        UnsafeApi.setMemory(fake.device() + DeviceDescriptor.NAME_OFFSET, DeviceDescriptor.NAME_LENGTH, (byte)'x');
        assertRefused("ibv_device.name", () -> LayoutCheck.device(fake.device(), FakeLibrary.NAME, Sysfs.KERNEL));
    }

    @Test
    void shouldRefuseADeviceWhoseFileIsAnothers() throws Exception
    {
        kernel("ibdev", "mlx5_0\n");
        assertRefused("ibv_device.dev_name",
            () -> LayoutCheck.device(fake.device(), FakeLibrary.NAME, new Sysfs(root)));
        kernel("ibdev", FakeLibrary.NAME + "\n");
        LayoutCheck.device(fake.device(), FakeLibrary.NAME, new Sysfs(root));
    }

    @Test
    void shouldRefuseAContextOfAnotherDevice()
    {
        assertContextRefused("ibv_context.device", ContextDescriptor.DEVICE_OFFSET, fake.device() + 8);
    }

    @Test
    void shouldRefuseWhatIsNoFileDescriptor()
    {
        UnsafeApi.putInt(fake.context() + ContextDescriptor.ASYNC_FD_OFFSET, 1 << 30);
        assertContextRefused("ibv_context.async_fd");
        UnsafeApi.putInt(fake.context() + ContextDescriptor.CMD_FD_OFFSET, -1);
        assertContextRefused("ibv_context.cmd_fd");
    }

    @Test
    void shouldRefuseAFileDescriptorOfAnotherDevice() throws Exception
    {
        kernel("dev", "231:192\n");
        assertRefused("ibv_context.cmd_fd",
            () -> LayoutCheck.context(fake.context(), fake.device(), new Sysfs(root)));
        // A pipe has no device number.
        kernel("dev", "0:0\n");
        LayoutCheck.context(fake.context(), fake.device(), new Sysfs(root));
    }

    @Test
    void shouldRefuseSenselessNumbersOfCompletionVectors()
    {
        for (final int vectors : new int[]{ -1, 0, 1 << 17 })
        {
            UnsafeApi.putInt(fake.context() + ContextDescriptor.NUM_COMP_VECTORS_OFFSET, vectors);
            assertContextRefused("ibv_context.num_comp_vectors");
        }
    }

    @Test
    void shouldRefuseEachFunctionThatIsNone()
    {
        assertContextRefused("ibv_context.ops.poll_cq", ContextDescriptor.POLL_CQ_OFFSET, 0);
        assertContextRefused("ibv_context.ops.req_notify_cq", ContextDescriptor.REQ_NOTIFY_CQ_OFFSET, -1);
        assertContextRefused("ibv_context.ops.post_srq_recv", ContextDescriptor.POST_SRQ_RECV_OFFSET, 4096);
        // Memory of its own is mapped, and may not be executed.
        assertContextRefused("ibv_context.ops.post_send", ContextDescriptor.POST_SEND_OFFSET, fake.device());
        assertContextRefused("ibv_context.ops.post_recv", ContextDescriptor.POST_RECV_OFFSET, 0);
    }

    @Test
    void shouldTellWhatMayBeExecuted()
    {
        final List<String> mappings = List.of(
            "55d000000000-55d000001000 r--p 00000000 08:01 1 /usr/bin/java",
            "55d000001000-55d000003000 r-xp 00001000 08:01 1 /usr/bin/java",
            "7ffe00000000-7ffe00021000 rw-p 00000000 00:00 0 [stack]",
            "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]");
        assertFalse(LayoutCheck.isExecutable(mappings, 0x55d000000fffL));
        assertTrue(LayoutCheck.isExecutable(mappings, 0x55d000001000L));
        assertTrue(LayoutCheck.isExecutable(mappings, 0x55d000002fffL));
        assertFalse(LayoutCheck.isExecutable(mappings, 0x55d000003000L));
        assertFalse(LayoutCheck.isExecutable(mappings, 0x7ffe00000010L));
        assertTrue(LayoutCheck.isExecutable(mappings, 0xffffffffff600010L));
        assertFalse(LayoutCheck.isExecutable(mappings, 0));
    }

    @Test
    void shouldTakeBackWhatWasMadeOtherwiseThanAsked()
    {
        final AtomicInteger undone = new AtomicInteger();
        UnsafeApi.putInt(fake.context() + CompletionQueueDescriptor.CQE_OFFSET, 15);
        final MadeCheck good = new MadeCheck("create_cq", fake.context())
            .address("ibv_cq.context", CompletionQueueDescriptor.CONTEXT_OFFSET, fake.device())
            .number("ibv_cq.cqe", CompletionQueueDescriptor.CQE_OFFSET, 15, 15);
        good.orUndo(undone::incrementAndGet);
        assertEquals(0, undone.get());

        assertRefused("ibv_cq.cqe", () -> new MadeCheck("create_cq", fake.context())
            .number("ibv_cq.cqe", CompletionQueueDescriptor.CQE_OFFSET, 16, Integer.MAX_VALUE)
            .orUndo(undone::incrementAndGet));
        assertEquals(1, undone.get());
        // The first that does not fit is named.
        assertRefused("ibv_cq.context", () -> new MadeCheck("create_cq", fake.context())
            .address("ibv_cq.context", CompletionQueueDescriptor.CONTEXT_OFFSET, 1)
            .number("ibv_cq.cqe", CompletionQueueDescriptor.CQE_OFFSET, 16, Integer.MAX_VALUE)
            .orUndo(undone::incrementAndGet));
        assertEquals(2, undone.get());
    }

    private void assertContextRefused(final String field, final int offset, final long value)
    {
        final long before = UnsafeApi.getLong(fake.context() + offset);
        UnsafeApi.putLong(fake.context() + offset, value);
        assertContextRefused(field);
        UnsafeApi.putLong(fake.context() + offset, before);
    }

    private void assertContextRefused(final String field)
    {
        assertRefused(field, () -> LayoutCheck.context(fake.context(), fake.device(), Sysfs.KERNEL));
    }

    private static void assertRefused(final String field, final Executable check)
    {
        final VerbsException refused = assertThrows(VerbsException.class, check);
        assertEquals(Errno.EOPNOTSUPP, refused.errno());
        assertTrue(refused.getMessage().contains(" field=" + field + " "), refused.getMessage());
        assertFalse(refused.getMessage().contains("\n"), refused.getMessage());
    }

    private void kernel(final String file, final String text) throws Exception
    {
        final Path directory = root.resolve("infiniband_verbs").resolve("uverbs-of-" + FakeLibrary.NAME);
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(file), text);
    }
}
