package org.onesided.verbs.ibv;

import static org.onesided.verbs.Errno.*;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.onesided.verbs.VerbsException;
import org.onesided.verbs.posix.MemoryAllowance;

/**
 * Turns a failed verb into an exception whose one line names the remedy.
 */
final class IbvErrors
{
    /** What a queue may need; how much it does need, only its driver knows. */
    private static final long QUEUE_LENGTH = 64L << 20;

    private IbvErrors()
    {
    }

    /**
     * @param verb   that failed, such as {@code reg_mr}.
     * @param errno  a positive error number.
     * @param object what it was done to, as data: {@code device=ibv:rxe0 length=4096}.
     * @return what to throw.
     */
    static VerbsException failure(final String verb, final int errno, final String object)
    {
        return failure(verb, errno, object, QUEUE_LENGTH);
    }

    /**
     * @param verb   that failed.
     * @param errno  a positive error number.
     * @param object what it was done to, as data.
     * @param length how many bytes the verb was to lock.
     * @return what to throw.
     */
    static VerbsException failure(final String verb, final int errno, final String object, final long length)
    {
        return new VerbsException(
            verb, errno, advice(verb, errno, length, HostFacts.lockableMemory(), HostFacts.pinnedMemory()) + ": " +
                object);
    }

    /**
     * @param verb           that failed.
     * @param errno          a positive error number.
     * @param length         how many bytes it was to lock.
     * @param lockableMemory how many bytes this process may lock.
     * @param pinnedMemory   how many of them it has locked for devices.
     * @return the likely cause, and the way out.
     */
    static String advice(
        final String verb, final int errno, final long length, final long lockableMemory, final long pinnedMemory)
    {
        return switch (errno)
        {
            case ENOMEM -> outOfMemory(verb, length, lockableMemory, pinnedMemory);
            case EINVAL -> invalid(verb);
            case EAGAIN -> "no more of these can be made now, see rdma.max of the control group, or try again";
            case ENOSPC -> "the device has no room for another, close some or share them";
            case EFAULT -> "the memory is not there, or is read-only and local write access was asked for";
            case EBUSY -> "it is still in use, close what was made from it first";
            case EIO, ENODEV, ENXIO -> "the device failed or was removed, see the kernel's log (dmesg)";
            case ENOSYS, EOPNOTSUPP -> "the device, its driver or the kernel cannot do this";
            case EPERM, EACCES -> "this process may not do this";
            case ENODATA -> "the port has no GID at that index, 'kvctl rdma devices' lists those it has";
            case ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL ->
                "no way to the peer's GID, look whether both GIDs are of one network and the peer's interface is up";
            default -> "it failed";
        };
    }

    /**
     * @param device that could not be opened.
     * @param errno  a positive error number.
     * @param file   its device file.
     * @return what to throw.
     */
    static VerbsException notOpened(final String device, final int errno, final Path file)
    {
        if (!Files.exists(file))
        {
            return new VerbsException("open_device", ENODEV, missingFile(file) + ": device=" + device);
        }
        if (!Files.isReadable(file) || !Files.isWritable(file))
        {
            return new VerbsException("open_device", EACCES, deniedFile(file, HostFacts.groupThatMayUse(file)) +
                ": device=" + device + " file=" + file + " " + HostFacts.access(file));
        }
        if (errno == EPERM || errno == EACCES)
        {
            return new VerbsException("open_device", errno, "the device file may not be opened although its mode is " +
                "right, give a container --device=" + file + ": device=" + device + " file=" + file + " " +
                HostFacts.access(file));
        }
        return failure("open_device", errno, "device=" + device + " file=" + file);
    }

    /**
     * @param wanted name of a device; empty for any.
     * @param listed names that libibverbs lists.
     * @param kernel the kernel's list of devices.
     * @param files  directory of the device files.
     * @return what to throw: the message says what stands between the kernel's devices and the library.
     */
    static VerbsException noDevice(
        final String wanted, final List<String> listed, final Sysfs kernel, final Path files)
    {
        final List<String> known = kernel.rdmaDevices();
        final String name = wanted.isEmpty() ? known.stream().findFirst().orElse("") : wanted;
        final String asked = wanted.isEmpty() ? "" : "device=" + IbvLibrary.KIND + ":" + wanted + " ";
        final String data = ": " + asked + "there_are=" + listed + " kernel=" + known;
        return new VerbsException("get_device_list", ENODEV, whatIsMissing(name, known, kernel, files) + data);
    }

    private static String whatIsMissing(
        final String name, final List<String> known, final Sysfs kernel, final Path files)
    {
        if (known.isEmpty())
        {
            return "this machine has no RDMA device, load its driver, or make a software one of a network interface: " +
                "modprobe rdma_rxe && rdma link add rxe0 type rxe netdev INTERFACE";
        }
        if (!known.contains(name))
        {
            return "no such RDMA device, take one that is there";
        }
        final String file = kernel.deviceFileOf(name);
        if (file.isEmpty())
        {
            return "the kernel does not offer its devices to programs, run: modprobe ib_uverbs";
        }
        return Files.exists(files.resolve(file)) ?
            "the device's user-space driver is missing, install the package ibverbs-providers (Red Hat: libibverbs)" :
            missingFile(files.resolve(file));
    }

    /**
     * @param device that is neither InfiniBand nor RoCE.
     * @return what to throw.
     */
    static VerbsException unusable(final DeviceEntry device)
    {
        return new VerbsException("open_device", EOPNOTSUPP, (device.isIwarp() ?
            "iWARP devices connect by rdma_cm only, which is not supported" :
            "the device has no reliable connections") +
            ", use an InfiniBand or RoCE device: device=" + device.name() + " node_type=" + device.nodeType() +
            " transport_type=" + device.transport());
    }

    private static String outOfMemory(
        final String verb, final long length, final long lockableMemory, final long pinnedMemory)
    {
        return switch (verb)
        {
            case "reg_mr", "create_cq", "create_qp", "create_srq" ->
                lockableMemory == HostFacts.UNLIMITED || length <= lockableMemory - pinnedMemory ?
                "no more memory, or the device has no room for another, close some or ask for less" :
                "probably more memory than " + limit(lockableMemory, pinnedMemory);
            default -> "no more memory, or the device has no room for another";
        };
    }

    private static String limit(final long lockableMemory, final long pinnedMemory)
    {
        return "this process may lock, which is " + lockableMemory + " bytes (ulimit -l), " + pinnedMemory +
            " of them locked already: allow more by '* soft memlock unlimited' and '* hard memlock unlimited' in " +
            "/etc/security/limits.conf, LimitMEMLOCK=infinity for a systemd service, --ulimit memlock=-1 for a " +
            "container";
    }

    /**
     * Checks that memory may be registered without taking what clients need to connect.
     *
     * @param length         of the memory in bytes.
     * @param lockableMemory how many bytes this process may lock.
     * @param pinnedMemory   how many of them it has locked for devices.
     * @throws VerbsException with {@code ENOMEM} if there is too little.
     */
    static void checkLimit(final long length, final long lockableMemory, final long pinnedMemory)
    {
        if (lockableMemory != HostFacts.UNLIMITED)
        {
            final long kept = MemoryAllowance.margin(lockableMemory);
            if (length > lockableMemory - pinnedMemory - kept)
            {
                throw new VerbsException("reg_mr", ENOMEM, "clients need some of what " +
                    limit(lockableMemory, pinnedMemory) + ": length=" + length + " kept=" + kept);
            }
        }
    }

    private static String invalid(final String verb)
    {
        return switch (verb)
        {
            case "query_port", "query_gid", "query_gid_table" -> "the device has no such port or index";
            case "reg_mr" -> "the access flags do not go together, or the device cannot register this memory";
            case "create_cq", "create_qp", "create_srq" ->
                "a number is beyond the device's limits, which 'kvctl rdma devices' lists";
            case "modify_qp" ->
                "no such transition, an attribute is missing, too much or out of range, or the GID does not suit";
            default -> "an argument is not valid";
        };
    }

    private static String missingFile(final Path file)
    {
        return "the device file " + file + " is missing, run modprobe ib_uverbs, or give a container --device=" + file;
    }

    /**
     * @param file  that this process may not read and write.
     * @param group that may, empty for none.
     * @return the way out. Usually all may open it, by rdma-core's rules of udev, so this one was narrowed on purpose.
     */
    static String deniedFile(final Path file, final String group)
    {
        return group.isEmpty() ?
            "the device file may not be opened by this user, and no group may, run chmod 666 " + file + " or, for " +
                "good, make a rule of udev, such as KERNEL==\"uverbs*\", MODE=\"0666\" in " +
                "/etc/udev/rules.d/90-uverbs.rules" :
            "the device file may be opened by one group only, join it and log in anew: usermod -aG " + group + " " +
                System.getProperty("user.name");
    }
}
