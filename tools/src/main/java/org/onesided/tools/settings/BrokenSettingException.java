package org.onesided.tools.settings;

/**
 * Names a setting with a value that it cannot have, and the place that the value comes from, in one line.
 */
public final class BrokenSettingException extends IllegalArgumentException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param place   that the value comes from: an option, a variable, or a line of a file.
     * @param message what is wrong with it.
     */
    public BrokenSettingException(final String place, final String message)
    {
        super(place + ": " + message);
    }
}
