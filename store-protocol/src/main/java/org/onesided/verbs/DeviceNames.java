package org.onesided.verbs;

import java.util.ArrayList;
import java.util.List;

/**
 * Several devices named in one text, with commas between them: {@code ibv,shm,tcp:0.0.0.0:7000}.
 */
public final class DeviceNames
{
    private static final String SEPARATOR = ",";

    private DeviceNames()
    {
    }

    /**
     * Takes a text apart. No two devices may be of one kind: peers ask for a device by its kind.
     *
     * @param text one name, or several with commas between them.
     * @return the names in their order, at least one.
     * @throws VerbsException with {@code EINVAL} if one is empty, a kind comes twice, or
     *                        {@link DeviceChoice#AUTO} is among others.
     */
    public static List<String> parse(final String text)
    {
        final List<String> names = new ArrayList<>();
        final List<String> kinds = new ArrayList<>();
        for (final String part : text.split(SEPARATOR, -1))
        {
            final String name = part.trim();
            final String kind = OpenDevice.kind(name);
            if (kind.isEmpty())
            {
                throw invalid("no such device, a name is empty", text);
            }
            if (kinds.contains(kind))
            {
                throw invalid("no such device, name each kind once", text);
            }
            names.add(name);
            kinds.add(kind);
        }
        if (names.size() > 1 && kinds.contains(DeviceChoice.AUTO))
        {
            throw invalid("no such device, auto cannot be part of a list", text);
        }
        return names;
    }

    /**
     * @param names of devices.
     * @return the names in one text.
     */
    public static String join(final List<String> names)
    {
        return String.join(SEPARATOR, names);
    }

    private static VerbsException invalid(final String what, final String text)
    {
        return new VerbsException("get_device_list", Errno.EINVAL, what + ": device=" + text);
    }
}
