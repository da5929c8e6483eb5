// Metal has it; the exported shaders use nothing of it.
