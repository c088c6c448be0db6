package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.PathChoice;
import org.onesided.verbs.VerbsException;

/**
 * The device, port and GID that a connection would use.
 *
 * @param device  to use, or the unusable one that would be used; null if there is none.
 * @param path    port and GID; null if there is none to use.
 * @param failure reason why there is no path; null if there is one, or no device at all.
 */
record Choice(OpenDevice device, ConnectionOptions path, VerbsException failure)
{
    /**
     * Chooses as {@link org.onesided.verbs.DeviceChoice} does: the named device, or the first usable one. Closing the
     * devices closes the choice.
     */
    static Choice of(final Selection selection, final List<OpenDevice> devices)
    {
        try
        {
            final String wanted = selection.argument().isEmpty() ? "" :
                selection.provider().device(selection.argument()).name();
            return first(selection, devices.stream()
                .filter(device -> wanted.isEmpty() || device.name().equals(wanted)).toList());
        }
        catch (final VerbsException e)
        {
            return new Choice(null, null, e);
        }
    }

    private static Choice first(final Selection selection, final List<OpenDevice> devices)
    {
        Choice nearest = new Choice(null, null, null);
        for (final OpenDevice device : devices)
        {
            if (device.isOpen())
            {
                try
                {
                    return new Choice(device, PathChoice.resolve(device.context(), selection.options()), null);
                }
                catch (final VerbsException e)
                {
                    nearest = nearest.device() == null || !nearest.device().isOpen() ?
                        new Choice(device, null, e) : nearest;
                }
            }
            else if (nearest.device() == null)
            {
                nearest = new Choice(device, null, device.failure());
            }
        }
        return nearest;
    }

    boolean isComplete()
    {
        return path != null;
    }

    boolean isPort(final OpenDevice of, final int port)
    {
        return isComplete() && device == of && path.port() == port;
    }

    boolean isGid(final OpenDevice of, final int port, final int index)
    {
        return isPort(of, port) && path.gidIndex() == index;
    }

    /** The entry of the GID; null if the port is addressed by LID. */
    GidEntry gid()
    {
        return device.context().queryGidTable(path.port()).stream()
            .filter(entry -> entry.index() == path.gidIndex()).findFirst().orElse(null);
    }

    /** Such as "ibv:rxe0 port 1 GID 1 (10.9.0.1, RoCE v2)". */
    String text()
    {
        final String start = device.name() + " port " + path.port();
        final GidEntry gid = gid();
        if (gid == null)
        {
            return start + " LID " + device.context().queryPort(path.port()).lid();
        }
        final String address = Gids.ipv4(gid.gid());
        return start + " GID " + gid.index() + " (" + (address.isEmpty() ? gid.gid() : address) + ", " +
            gid.type() + ")";
    }
}
