package org.onesided.tools.ycsb;

/**
 * A value does not have the layout of {@link FieldsDescriptor}, so this binding did not write it.
 */
final class BrokenFieldsException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    BrokenFieldsException(final String message)
    {
        super(message);
    }
}
