package org.onesided.tools.kvctl.rdma;

import java.util.List;
import org.onesided.verbs.ConnectionOptions;
import org.onesided.verbs.Device;
import org.onesided.verbs.GidEntry;
import org.onesided.verbs.PathChoice;
import org.onesided.verbs.VerbsException;

/**
 * The device, port and GID that a connection would take.
 *
 * @param device  taken, or that would be if it could be used; null if there is none.
 * @param path    with its port and GID; null if there is none to take.
 * @param failure why there is no path; null if there is one, or no device at all.
 */
record Choice(OpenDevice device, ConnectionOptions path, VerbsException failure)
{
    /** Chooses among devices that were opened; what is chosen is closed with them. */
    static Choice of(final Selection selection, final List<OpenDevice> devices)
    {
        if (devices.isEmpty() && selection.argument().isEmpty())
        {
            return new Choice(null, null, null);
        }
        OpenDevice chosen = null;
        try
        {
            final Device device = selection.provider().device(selection.argument());
            chosen = devices.stream().filter(open -> open.name().equals(device.name())).findFirst().orElse(null);
            if (chosen == null || !chosen.isOpen())
            {
                return new Choice(chosen, null, chosen == null ? null : chosen.failure());
            }
            return new Choice(chosen, PathChoice.resolve(chosen.context(), selection.options()), null);
        }
        catch (final VerbsException e)
        {
            return new Choice(chosen, null, e);
        }
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

    /** The GID's entry; null if the port is addressed by LID. */
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
        final String address = GidText.ipv4(gid.gid());
        return start + " GID " + gid.index() + " (" + (address.isEmpty() ? gid.gid() : address) + ", " +
            gid.type() + ")";
    }
}
